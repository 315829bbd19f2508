import type { StreamDecoder } from "../../format-sides.ts";
import type { ChatAnswer, ChatEvent, Finish, FinishReason } from "../../neutral/chat-answer.ts";
import type { MessagePart } from "../../neutral/message-part.ts";
import { isRecord, type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { readUsage } from "../../protocols/openai/read-usage.ts";
import { carriesError, readError } from "./read-error.ts";

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ["length", "length"],
  ["function_call", "tool-calls"],
  ["content_filter", "refusal"],
]);

/** Older models report a truncated answer instead of a reason. */
function readFinish({ finish_reason: reason, is_truncated: isCut, function_call: call }: JsonRecord): Finish {
  const named = FINISH_REASONS.get(reason) ?? (isCut === true ? "length" : "stop");
  return { reason: isRecord(call) ? "tool-calls" : named, stopSequence: "" };
}

/** Reads the only call of an answer, and the thoughts before it; calls have no ids. */
function readCall({ function_call: call }: JsonRecord): readonly MessagePart[] {
  if (!isRecord(call)) return [];
  const thought = textOf(call.thoughts);
  return [
    ...(thought === "" ? [] : [{ type: "reasoning", text: thought, signature: "" } as const]),
    { type: "tool-call", id: "", name: textOf(call.name), input: textOf(call.arguments) || "{}" },
  ];
}

export function readAnswer(answer: JsonRecord): ChatAnswer {
  const text = textOf(answer.result);
  const said: readonly MessagePart[] = text === "" ? [] : [{ type: "text", text }];
  const choice = { parts: [...said, ...readCall(answer)], finish: readFinish(answer) };
  return { id: textOf(answer.id), model: "", choices: [choice], usage: readUsage(answer) };
}

/** Reads the events of a stream: each is an answer with a piece and the counts so far; the last has `is_end`. */
export class BaiduStreamDecoder implements StreamDecoder {
  #hasBegun = false;

  read(_name: string, data: string): readonly ChatEvent[] {
    const piece = recordOf(parseJson(data));
    if (carriesError(piece)) return [{ type: "error", failure: readError(200, {}, data) }];
    const events: ChatEvent[] = [];
    if (!this.#hasBegun) events.push({ type: "answer-start", id: textOf(piece.id), model: "" });
    this.#hasBegun = true;
    const text = textOf(piece.result);
    if (text !== "") events.push({ type: "text-delta", choice: 0, text });
    events.push(...readCall(piece).flatMap(eventsOf));
    if (piece.is_end === true) events.push({ type: "answer-finish", choice: 0, finish: readFinish(piece) });
    const usage = readUsage(piece);
    if (usage !== undefined) events.push({ type: "usage-report", usage });
    return piece.is_end === true ? [...events, { type: "stream-end" }] : events;
  }
}

function eventsOf(part: MessagePart): readonly ChatEvent[] {
  if (part.type === "reasoning") return [{ type: "reasoning-delta", choice: 0, text: part.text }];
  if (part.type !== "tool-call") return [];
  return [
    { type: "tool-call-start", choice: 0, call: 0, id: part.id, name: part.name },
    { type: "tool-input-delta", choice: 0, call: 0, text: part.input },
  ];
}
