/** How one request is answered. Every kind may also carry the fields of AnswerShape. */
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
  /** Wait before the status line. */
  headersDelayMs?: number | undefined;
  /** Wait between two pieces of a stream. */
  chunkDelayMs?: number | undefined;
  /** Exact number of pieces: the echo is cut, or filled up with words. Absent: the echo alone. */
  pieces?: number | undefined;
  /** The text to answer instead of the echo. */
  text?: string | undefined;
  /** Chat only: tokens reported as reasoning. No text is sent, but they are completion tokens and use up max_tokens. */
  reasoningTokens?: number | undefined;
  /** How many of the prompt's tokens are reported as read from a cache. */
  cachedTokens?: number | undefined;
  /** Calls the first tool although tool_choice leaves it open. */
  callTool?: boolean | undefined;
  /** Text of a tool call's arguments. Absent: the echo, which is the caller's whole last message. */
  toolText?: string | undefined;
  /** Completions only: reports the usage of a stream without being asked, as some vendors do. */
  usageUnasked?: boolean | undefined;
}

/** A normal answer that takes its time: by default 1,000 ms to the headers and 100 ms between pieces. */
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

/** Answers with an error status and OpenAI's body for it. */
export interface RefuseBehaviour {
  kind: "refuse";
  status: RefusalStatus;
  /** Which error body; absent: the usual one of the status. */
  reason?: RefusalReason | undefined;
  /** A number is seconds; a string is sent as it stands (an HTTP date, or something unreadable). */
  retryAfter?: number | string | undefined;
  /** Replaces the message of the error body. */
  message?: string | undefined;
}

/** Stops sending and keeps the socket open. */
interface StallBehaviour {
  kind: "stall";
  /** Absent: before the headers. 0: after them. N: after N pieces, or in the middle of a body that is no stream. */
  afterChunks?: number | undefined;
}

/** Destroys the socket. */
interface CutBehaviour {
  kind: "cut";
  /**
   * `accept`: before any answer; as a fixed behaviour already when the connection is accepted, with nothing recorded.
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
  /** Writes each event in two, the cut inside a character of several bytes. */
  "split-utf8",
  /** Writes each byte of a stream by itself. */
  "byte-by-byte",
  "crlf",
  "cr-only",
  /** One line end between events, where there should be two. */
  "no-blank-line",
  /** One event (or the whole body) holds half a JSON document. */
  "bad-json",
  /** One event (or the body) is padded to `lineMegabytes`; still valid JSON. */
  "long-line",
  "html-body",
  /** A JSON document although a stream was asked for. */
  "json-for-stream",
  "empty-body",
  "no-usage",
  "no-done",
  "no-finish-reason",
] as const;
export type MalformedFault = (typeof malformedFaults)[number];

/** Status 200 and something wrong with the body. Faults of streams leave other answers as they are. */
interface MalformedBehaviour {
  kind: "malformed";
  fault: MalformedFault;
  /** `bad-json` and `long-line` in a stream: how many sound pieces come first; default 1. */
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

/** A normal answer with headers that no caller of a gateway should ever see. */
interface UnsolicitedHeadersBehaviour {
  kind: "unsolicited-headers";
}

export const usageReports = ["given", "zero", "none", "total-only"] as const;
type UsageReport = (typeof usageReports)[number];

/** Reports something else than what was counted. */
export interface UsageOverrideBehaviour {
  kind: "usage-override";
  report: UsageReport;
  /** For `given`: the usage object, sent as it stands. */
  usage?: Readonly<Record<string, unknown>> | undefined;
}

export const errorEventForms = ["named-event", "data-only"] as const;
type ErrorEventForm = (typeof errorEventForms)[number];

/** Sends an error after some pieces and ends the stream without [DONE]; a document is a 200 with an error body. */
interface ErrorInStreamBehaviour {
  kind: "error-in-stream";
  /** Default 1. */
  afterChunks?: number | undefined;
  /** `named-event` (default) puts `event: error` before the data. */
  form?: ErrorEventForm | undefined;
}
