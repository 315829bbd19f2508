/** Behaviour for one request. Every kind may also have the fields of AnswerShape. */
export type Behaviour = AnswerShape &
  (
    | { kind: "normal" }
    | SlowBehaviour
    | RefuseBehaviour
    | StallBehaviour
    | CutBehaviour
    | MalformedBehaviour
    | EndlessBehaviour
    | UnsolicitedHeadersBehaviour
    | UsageOverrideBehaviour
    | ErrorInStreamBehaviour
  );

export type BehaviourKind = Behaviour["kind"];

/** Length, content and pace of an answer. A "piece" is one delta of a stream and counts as one completion token. */
export interface AnswerShape {
  headersDelayMs?: number | undefined;
  chunkDelayMs?: number | undefined;
  /** Exact number of pieces: the echo is cut or padded. Absent: the echo alone. */
  pieces?: number | undefined;
  /** Answer instead of the echo. */
  text?: string | undefined;
  /** Chat only: tokens reported as reasoning, without text. They count as completion tokens and against max_tokens. */
  reasoningTokens?: number | undefined;
  cachedTokens?: number | undefined;
  /** Calls the first tool even where tool_choice leaves it open. */
  callTool?: boolean | undefined;
  /** Arguments of a tool call. Absent: the caller's whole last message. */
  toolText?: string | undefined;
  /** Completions only: streams report usage without a request for it, as with some vendors. */
  usageUnasked?: boolean | undefined;
}

/** Slow answer: by default 1,000 ms to the headers and 100 ms between pieces. */
interface SlowBehaviour {
  kind: "slow";
}

export const refusalStatuses = [400, 401, 403, 404, 429, 500, 502, 503, 529] as const;
export type RefusalStatus = (typeof refusalStatuses)[number];

export const refusalReasons = [
  "invalid-prompt",
  "context-length-exceeded",
  "invalid-api-key",
  "account-deactivated",
  "unsupported-country",
  "model-not-found",
  "rate-limit-exceeded",
  "insufficient-quota",
  "server-error",
  "bad-gateway",
  "service-unavailable",
  "overloaded",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export interface RefuseBehaviour {
  kind: "refuse";
  status: RefusalStatus;
  /** Error body; absent: the usual one of the status. */
  reason?: RefusalReason | undefined;
  /** A number is seconds; a string is sent unchanged (an HTTP date, or an invalid text). */
  retryAfter?: number | string | undefined;
  message?: string | undefined;
}

/** Stops sending and keeps the socket open. */
interface StallBehaviour {
  kind: "stall";
  /** Absent: before the headers. 0: after them. N: after N pieces, or in the middle of a body that is no stream. */
  afterChunks?: number | undefined;
}

interface CutBehaviour {
  kind: "cut";
  /**
   * `accept`: before any answer; as a fixed behaviour, on accepting the connection, without a record.
   * `body` (default): after `afterChunks` pieces, or in the middle of a body that is no stream.
   */
  at?: CutPlace | undefined;
  /** Default 1; 0 is after the headers. */
  afterChunks?: number | undefined;
  /** Sends a TCP reset instead of an orderly end. */
  reset?: boolean | undefined;
}
export const cutPlaces = ["accept", "body"] as const;
type CutPlace = (typeof cutPlaces)[number];

export const malformedFaults = [
  /** Writes each event in two chunks, split inside a multi-byte character. */
  "split-utf8",
  "byte-by-byte",
  "crlf",
  "cr-only",
  /** One line end between events instead of two. */
  "no-blank-line",
  /** One event (or the whole body) holds half a JSON document. */
  "bad-json",
  /** One event (or the body) is padded to `lineMegabytes`; still valid JSON. */
  "long-line",
  "html-body",
  /** JSON document instead of the requested stream. */
  "json-for-stream",
  "empty-body",
  "no-usage",
  "no-done",
  "no-finish-reason",
] as const;
export type MalformedFault = (typeof malformedFaults)[number];

/** Status 200 with a faulty body. Faults of streams leave other answers unchanged. */
interface MalformedBehaviour {
  kind: "malformed";
  fault: MalformedFault;
  /** `bad-json` and `long-line` in a stream: valid pieces before it; default 1. */
  afterChunks?: number | undefined;
  /** `long-line`: length of the line in MiB; default 8. */
  lineMegabytes?: number | undefined;
}

/** A stream (or a JSON body) without end, as fast as the caller reads. */
interface EndlessBehaviour {
  kind: "endless";
  /** Length of the text in each piece, in bytes; absent: one filler word. */
  chunkBytes?: number | undefined;
}

/** Normal answer with headers that a gateway must not forward. */
interface UnsolicitedHeadersBehaviour {
  kind: "unsolicited-headers";
}

export const usageReports = ["given", "zero", "none", "total-only"] as const;
type UsageReport = (typeof usageReports)[number];

export interface UsageOverrideBehaviour {
  kind: "usage-override";
  report: UsageReport;
  /** For `given`: the usage object, sent unchanged. */
  usage?: Readonly<Record<string, unknown>> | undefined;
}

export const errorEventForms = ["named-event", "data-only"] as const;
type ErrorEventForm = (typeof errorEventForms)[number];

/** Sends an error after some pieces and ends the stream without [DONE]; a JSON answer is a 200 with an error body. */
interface ErrorInStreamBehaviour {
  kind: "error-in-stream";
  /** Default 1. */
  afterChunks?: number | undefined;
  /** `named-event` (default) puts `event: error` before the data. */
  form?: ErrorEventForm | undefined;
}
