import type { StreamDecoder } from "../../format.ts";
import { type ChatEvent, withLogprobs } from "../../neutral/chat-answer.ts";
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { readUsage } from "../openai/read-usage.ts";
import { atTier, type NamedTier, readTier } from "../openai/service-tier.ts";
import { END_MARK } from "../openai/stream-meter.ts";
import { readFinish } from "./answer.ts";
import { readLogprobs } from "../openai/logprobs.ts";
import { inputText, readContent, readGoogleSignature } from "./read-parts.ts";
import { DetailStream } from "./reasoning-details.ts";

/** Reads a stream of OpenAI's chat, near misses of other vendors included: content in parts, tool calls without an index. */
export class OpenAiStreamDecoder implements StreamDecoder {
  #started = false;
  #tier: NamedTier | undefined;
  /** Tool calls by choice: the ids in the order in which they came. */
  readonly #calls = new Map<number, string[]>();
  readonly #details = new Map<number, DetailStream>();

  read(_name: string, data: string): readonly ChatEvent[] {
    if (data.trim() === END_MARK) return [{ type: "stream-end" }];
    const chunk = parseJson(data);
    if (!isRecord(chunk)) return [];
    if (carriesError(chunk)) return [{ type: "error", failure: readStreamError(data) }];
    const events: ChatEvent[] = [];
    if (!this.#started && (textOf(chunk.id) !== "" || listOf(chunk.choices).length > 0)) {
      this.#started = true;
      events.push({ type: "answer-start", id: textOf(chunk.id), model: textOf(chunk.model) });
    }
    for (const choice of listOf(chunk.choices).filter(isRecord)) events.push(...this.#readChoice(choice));
    this.#tier = readTier(chunk) ?? this.#tier;
    const usage = atTier(readUsage(chunk), chunk, this.#tier);
    if (usage !== undefined) events.push({ type: "usage-report", usage });
    return events;
  }

  #readChoice(record: JsonRecord): readonly ChatEvent[] {
    const choice = numberOf(record.index) ?? 0;
    const delta = recordOf(record.delta);
    const events: ChatEvent[] = [...this.#readThoughts(delta, choice)];
    const before = events.length;
    for (const part of readContent(delta.content)) {
      if (part.type === "text") events.push({ type: "text-delta", choice, text: part.text });
      if (part.type === "reasoning") events.push({ type: "reasoning-delta", choice, text: part.text });
    }
    const refusal = textOf(delta.refusal);
    if (refusal !== "") events.push({ type: "refusal-delta", choice, text: refusal });
    for (const call of listOf(delta.tool_calls).filter(isRecord)) events.push(...this.#readCall(call, choice));
    const finish = readFinish(record.finish_reason);
    if (events.length > before || finish !== undefined) {
      events.splice(before, 0, ...(this.#details.get(choice)?.end(choice) ?? []));
    }
    const told = withLogprobs(events, choice, readLogprobs(record.logprobs));
    return finish === undefined ? told : [...told, { type: "answer-finish", choice, finish }];
  }

  #readThoughts(delta: JsonRecord, choice: number): readonly ChatEvent[] {
    const details = listOf(delta.reasoning_details).filter(isRecord);
    const text = textOf(delta.reasoning_content) || textOf(delta.reasoning);
    if (details.length === 0) return text === "" ? [] : [{ type: "reasoning-delta", choice, text }];
    const stream = this.#details.get(choice) ?? new DetailStream();
    this.#details.set(choice, stream);
    const events = details.flatMap((detail) => stream.read(detail, choice));
    const hasText = text === "" || events.some((event) => event.type === "reasoning-delta");
    return hasText ? events : [{ type: "reasoning-delta", choice, text }, ...events];
  }

  #readCall(record: JsonRecord, choice: number): readonly ChatEvent[] {
    const known = this.#calls.get(choice) ?? [];
    this.#calls.set(choice, known);
    const takesText = isRecord(record.custom);
    const { name, arguments: json, input: text } = recordOf(takesText ? record.custom : record.function);
    const given = textOf(record.id);
    const call = numberOf(record.index) ?? indexOfCall(known, given);
    const events: ChatEvent[] = [];
    if (known[call] === undefined) {
      const id = given === "" ? `call_${choice}_${call}` : given;
      known[call] = id;
      const signature = readGoogleSignature(record);
      if (signature !== "") events.push({ type: "reasoning-signature", choice, signature });
      events.push({ type: "tool-call-start", choice, call, id, name: textOf(name), ...(takesText && { takesText }) });
    }
    const input = takesText ? textOf(text) : inputText(json);
    if (input !== "") events.push({ type: "tool-input-delta", choice, call, text: input });
    return events;
  }
}

/** Without an index a new id begins a new call, and no id goes on with the last one. */
function indexOfCall(known: readonly string[], id: string): number {
  if (id === "") return Math.max(0, known.length - 1);
  const index = known.indexOf(id);
  return index === -1 ? known.length : index;
}
