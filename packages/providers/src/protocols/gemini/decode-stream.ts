import type { StreamDecoder } from "../../format-sides.ts";
import { type ChatEvent, withLogprobs } from "../../neutral/chat-answer.ts";
import type { MessagePart } from "../../neutral/message-part.ts";
import { parseExactFields } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { EXACT_FIELDS } from "./fields.ts";
import { isBlocked, readFinish } from "./answer.ts";
import { readLogprobs } from "./logprobs.ts";
import { carriesError, readStreamError } from "./read-error.ts";
import { readParts } from "./read-parts.ts";
import { readUsage } from "./usage.ts";

interface Candidate {
  calls: number;
}

export class GeminiStreamDecoder implements StreamDecoder {
  readonly #candidates = new Map<number, Candidate>();
  #hasBegun = false;

  read(_name: string, data: string): readonly ChatEvent[] {
    const chunk = parseExactFields(data, EXACT_FIELDS);
    if (carriesError(chunk)) return [{ type: "error", failure: readStreamError(data) }];
    if (!isRecord(chunk)) return [];
    const events: ChatEvent[] = [];
    if (!this.#hasBegun) {
      events.push({ type: "answer-start", id: textOf(chunk.responseId), model: textOf(chunk.modelVersion) });
    }
    this.#hasBegun = true;
    const candidates = listOf(chunk.candidates).filter(isRecord);
    for (const candidate of candidates) events.push(...this.#readCandidate(candidate));
    if (candidates.length === 0 && isBlocked(chunk)) {
      events.push({ type: "answer-finish", choice: 0, finish: { reason: "refusal", stopSequence: "" } });
    }
    const usage = readUsage(chunk);
    if (usage !== undefined) events.push({ type: "usage-report", usage });
    return events;
  }

  #readCandidate(record: JsonRecord): readonly ChatEvent[] {
    const choice = numberOf(record.index) ?? 0;
    const known = this.#candidates.get(choice) ?? { calls: 0 };
    this.#candidates.set(choice, known);
    const parts = readParts(recordOf(record.content)).flatMap((part) => readEvents(part, choice, known));
    const events = withLogprobs(parts, choice, readLogprobs(record));
    const finish = readFinish(record, known.calls > 0);
    return finish === undefined ? events : [...events, { type: "answer-finish", choice, finish }];
  }
}

function readEvents(part: MessagePart, choice: number, candidate: Candidate): readonly ChatEvent[] {
  switch (part.type) {
    case "text":
      return [{ type: "text-delta", choice, text: part.text }];
    case "reasoning": {
      const { text, signature } = part;
      return [
        ...(text === "" ? [] : [{ type: "reasoning-delta", choice, text } as const]),
        ...(signature === "" ? [] : [{ type: "reasoning-signature", choice, signature } as const]),
      ];
    }
    case "image": {
      const { source } = part;
      if (source.type !== "base64") return [];
      return [{ type: "picture", choice, mediaType: source.mediaType, data: source.data }];
    }
    case "tool-call": {
      const call = candidate.calls;
      candidate.calls += 1;
      return [
        { type: "tool-call-start", choice, call, id: part.id, name: part.name },
        { type: "tool-input-delta", choice, call, text: part.input },
      ];
    }
    default:
      return [];
  }
}
