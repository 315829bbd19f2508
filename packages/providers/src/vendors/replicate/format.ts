import type { Failure } from "../../failure.ts";
import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder } from "../../format-sides.ts";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { carriesError, readError as readAnyError } from "../../protocols/read-error.ts";
import { refineFailure } from "../../protocols/refine-failure.ts";
import { writeRequest } from "./write-input.ts";

/**
 * Chat as a prediction of Replicate, whose output is a stream. Sources: https://replicate.com/docs/reference/http,
 * https://replicate.com/docs/topics/predictions/streaming
 */
export const replicatePrediction: ProviderFormat = {
  name: "replicate-prediction",
  readUsage: () => undefined,
  carriesError,
  readError: readReplicateError,
  chat: { writeRequest, decode: () => new ReplicateDecoder() },
};

const UNKNOWN_VERSION = "Invalid version or not permitted";

/** Reads a refusal; its text states when a rate limit resets. Source: https://replicate.com/docs/topics/predictions/rate-limits */
export function readReplicateError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const failure = readAnyError(status, headers, body, now);
  const { title, detail, retry_after: wait } = recordOf(parseJson(body));
  if (title === UNKNOWN_VERSION) return { ...failure, kind: "unknown-model" };
  if (failure.kind !== "rate-limited" || failure.retryAfterMs !== null) return failure;
  const [, told] = /available in (\d+) second/.exec(textOf(detail)) ?? [];
  const seconds = numberOf(wait) ?? (told === undefined ? undefined : Number(told));
  return seconds === undefined || seconds < 0 ? failure : { ...failure, retryAfterMs: seconds * 1_000 };
}

export function predictionFailure(message: string): Failure {
  const text = redactSecrets(message) || "The prediction failed.";
  return refineFailure({
    kind: "server-error",
    status: 200,
    message: text,
    code: "",
    type: "",
    param: null,
    retryAfterMs: null,
  });
}

/** Reads the events of a prediction: `output` is plain text, `error` and `done` are JSON. */
class ReplicateDecoder implements StreamDecoder {
  #hasBegun = false;

  read(name: string, data: string): readonly ChatEvent[] {
    switch (name) {
      case "output":
        return [...this.#begin(), { type: "text-delta", choice: 0, text: data }];
      case "error":
        return [{ type: "error", failure: predictionFailure(textOf(recordOf(parseJson(data)).detail) || data) }];
      case "done":
        return this.#readEnd(textOf(recordOf(parseJson(data)).reason));
      default:
        return [];
    }
  }

  #begin(): readonly ChatEvent[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return [{ type: "answer-start", id: "", model: "" }];
  }

  /** Replicate does not report whether the limit was reached. */
  #readEnd(reason: string): readonly ChatEvent[] {
    if (reason !== "") return [{ type: "error", failure: predictionFailure(`The prediction ended with ${reason}.`) }];
    return [
      ...this.#begin(),
      { type: "answer-finish", choice: 0, finish: { reason: "stop", stopSequence: "" } },
      { type: "stream-end" },
    ];
  }
}
