import { relayWords } from "../../../lib/api/relay-client.ts";
import { fieldsOf, integerOf } from "../../../lib/values/read-values.ts";
import type { Answer, ToolCall } from "./conversation.ts";

const DONE = "[DONE]";

const textAt = (value: unknown) => (typeof value === "string" ? value : "");
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Cuts a stream into what its events carry (WHATWG HTML, "Server-sent events"). */
export async function* readEvents(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value = "" } = await reader.read();
      const lines = (rest + value + (done ? "\n" : "")).split(/\r\n|\r(?!$)|\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:")) yield line.slice("data:".length).trimStart();
      if (done) return;
    }
  } finally {
    // Cancels the rest when the reader stops.
    void reader.cancel().catch(() => undefined);
  }
}

/** Adds deltas to the calls; a delta without an index belongs to the last call, or begins one with its id. */
function addCalls(calls: readonly ToolCall[], pieces: readonly unknown[]): readonly ToolCall[] {
  if (pieces.length === 0) return calls;
  const next = [...calls];
  for (const piece of pieces) {
    const { index, id, function: part } = fieldsOf(piece);
    const place =
      integerOf(index, { least: 0, most: next.length }) ?? (textAt(id) === "" ? next.length - 1 : next.length);
    const known = next[Math.max(0, place)] ?? { id: "", name: "", input: "", result: "" };
    const { name, arguments: input } = fieldsOf(part);
    next[Math.max(0, place)] = {
      ...known,
      id: known.id === "" ? textAt(id) : known.id,
      name: known.name + textAt(name),
      input: known.input + textAt(input),
    };
  }
  return next;
}

function addError(answer: Answer, error: unknown): Answer {
  const { message = "", code = "", values } = relayWords(error);
  return { ...answer, state: "failed", failure: { message, code, values, status: 200, waitSeconds: 0 } };
}

/**
 * Adds what one event of OpenAI's streams says to the answer. Events that are no JSON say nothing.
 * Source: https://platform.openai.com/docs/api-reference/chat-streaming; thoughts as DeepSeek and OpenRouter name them.
 */
export function addEvent(answer: Answer, data: string): Answer {
  if (data === DONE) return answer.state === "failed" ? answer : { ...answer, state: "done" };
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return answer;
  }
  const { choices, usage, error } = fieldsOf(event);
  if (error !== undefined && error !== null) return addError(answer, error);
  const choice = fieldsOf(listAt(choices)[0]);
  const delta = fieldsOf(choice["delta"]);
  const counts = fieldsOf(usage);
  return {
    ...answer,
    text: answer.text + textAt(delta["content"]) + textAt(delta["refusal"]),
    thoughts: answer.thoughts + (textAt(delta["reasoning_content"]) || textAt(delta["reasoning"])),
    calls: addCalls(answer.calls, listAt(delta["tool_calls"])),
    finish: textAt(choice["finish_reason"]) || answer.finish,
    promptTokens: integerOf(counts["prompt_tokens"], { least: 0 }) ?? answer.promptTokens,
    completionTokens: integerOf(counts["completion_tokens"], { least: 0 }) ?? answer.completionTokens,
  };
}
