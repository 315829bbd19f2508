import type { StreamDecoder } from "../../format-sides.ts";
import { type ChatEvent, withLogprobs } from "../../neutral/chat-answer.ts";
import { parseExactFields } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { readUsage } from "../openai/read-usage.ts";
import { atTier, type NamedTier, readTier } from "../openai/service-tier.ts";
import { END_MARK } from "../openai/stream-meter.ts";
import { readFinish } from "./answer.ts";
import { readLogprobs } from "../openai/logprobs.ts";
import { fieldSignature, readContent, readThoughtText } from "./read-parts.ts";
import { DetailStream } from "./reasoning-details.ts";
import { StreamedCalls } from "./streamed-calls.ts";

/** Arguments, which some providers write as an object: numbers are written back digit by digit. */
const EXACT_FIELDS: ReadonlySet<string> = new Set(["arguments"]);

/** Reads a stream, with deviations of other vendors: content as parts, tool calls without an index. */
export class OpenAiStreamDecoder implements StreamDecoder {
  #started = false;
  #tier: NamedTier | undefined;
  readonly #calls = new Map<number, StreamedCalls>();
  readonly #details = new Map<number, DetailStream>();
  readonly #origin: string;

  constructor(origin = "") {
    this.#origin = origin;
  }

  read(_name: string, data: string): readonly ChatEvent[] {
    if (data.trim() === END_MARK) {
      return [...[...this.#calls.values()].flatMap((calls) => calls.end()), { type: "stream-end" }];
    }
    const chunk = parseExactFields(data, EXACT_FIELDS);
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
    const calls = this.#calls.get(choice) ?? new StreamedCalls(choice);
    this.#calls.set(choice, calls);
    events.push(...calls.read(delta));
    const finish = readFinish(record.finish_reason);
    if (finish !== undefined) events.push(...calls.end());
    if (events.length > before || finish !== undefined) {
      events.splice(before, 0, ...(this.#details.get(choice)?.end(choice) ?? []));
    }
    const told = withLogprobs(events, choice, readLogprobs(record.logprobs));
    return finish === undefined ? told : [...told, { type: "answer-finish", choice, finish }];
  }

  #readThoughts(delta: JsonRecord, choice: number): readonly ChatEvent[] {
    const details = listOf(delta.reasoning_details).filter(isRecord);
    const { text, field } = readThoughtText(delta);
    if (details.length === 0 && text === "") return [];
    const stream = this.#details.get(choice) ?? new DetailStream();
    this.#details.set(choice, stream);
    if (details.length === 0) return stream.readText(text, fieldSignature(this.#origin, field), choice);
    const events = details.flatMap((detail) => stream.read(detail, choice));
    const hasText = text === "" || events.some((event) => event.type === "reasoning-delta");
    return hasText ? events : [{ type: "reasoning-delta", choice, text }, ...events];
  }
}
