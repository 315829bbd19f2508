import type { ChatSide } from "@one-api/providers/format-sides";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { readServerSentEvent, type ServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { ChatEvent } from "@one-api/providers/neutral/chat-answer";
import { parseJson } from "@one-api/providers/shared/json-fields";
import type { ParsedRequest } from "../body/index.ts";

interface ToolCall {
  readonly name: string;
  input: string;
}

/** A stream's answer as one text, so that redaction recognises a key that came in pieces. */
interface WholeAnswer {
  text: string;
  reasoning?: string;
  refusal?: string;
  tool_calls?: ToolCall[];
  finish?: string;
  usage?: unknown;
  error?: string;
}

/** Returns the answer in a readable form: the pieces of a stream joined, everything else as it was sent. */
export function readStoredAnswer(parsed: Pick<ParsedRequest, "format" | "stream">, bytes: Buffer): string {
  if (!parsed.stream || bytes.length === 0) return bytes.toString();
  const events = eventsOf(bytes);
  const { chat } = parsed.format;
  const choices = chat === undefined ? textsOf(events) : chatOf(events, chat);
  return choices.length === 0 ? bytes.toString() : JSON.stringify({ stream: choices }, undefined, 1);
}

function eventsOf(bytes: Buffer): ServerSentEvent[] {
  const list = bytes[0] === OPENING_BRACKET ? parseJson(bytes.toString()) : undefined;
  if (Array.isArray(list)) return list.map((element) => ({ name: "", data: JSON.stringify(element) }));
  return new EventSplitter().push(bytes).map(readServerSentEvent);
}

const OPENING_BRACKET = 0x5b;

function chatOf(events: readonly ServerSentEvent[], chat: ChatSide): WholeAnswer[] {
  const decoder = chat.decode();
  const choices = new Map<number, WholeAnswer>();
  const calls = new Map<string, ToolCall>();
  for (const { name, data } of events) {
    if (data === "") continue;
    for (const event of decoder.read(name, data)) {
      const index = "choice" in event ? event.choice : 0;
      const choice = choices.get(index) ?? { text: "" };
      choices.set(index, choice);
      addEvent(choice, calls, event);
    }
  }
  return [...choices.values()];
}

/** `calls`: tool calls of all choices, by choice and call. */
function addEvent(choice: WholeAnswer, calls: Map<string, ToolCall>, event: ChatEvent): void {
  switch (event.type) {
    case "text-delta":
      choice.text += event.text;
      break;
    case "reasoning-delta":
      choice.reasoning = (choice.reasoning ?? "") + event.text;
      break;
    case "refusal-delta":
      choice.refusal = (choice.refusal ?? "") + event.text;
      break;
    case "tool-call-start": {
      const call = { name: event.name, input: "" };
      calls.set(`${event.choice} ${event.call}`, call);
      choice.tool_calls = [...(choice.tool_calls ?? []), call];
      break;
    }
    case "tool-input-delta": {
      const call = calls.get(`${event.choice} ${event.call}`);
      if (call !== undefined) call.input += event.text;
      break;
    }
    case "answer-finish":
      choice.finish = event.finish.reason;
      break;
    case "usage-report":
      choice.usage = event.usage;
      break;
    case "error":
      choice.error = event.failure.message;
      break;
    default:
  }
}

/** For formats without a neutral form: the texts of all events, joined. */
function textsOf(events: readonly ServerSentEvent[]): WholeAnswer[] {
  const texts = events.flatMap(({ data }) => [...textsIn(parseJson(data))]);
  return texts.length === 0 ? [] : [{ text: texts.join("") }];
}

function* textsIn(value: unknown, name = ""): Generator<string> {
  if (typeof value === "string") {
    if (name === "text" || name === "delta") yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const [field, inner] of Object.entries(value)) yield* textsIn(inner, Array.isArray(value) ? name : field);
  }
}
