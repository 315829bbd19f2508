import { isJsonObject } from "./json-fields.ts";

/** Invalid behaviour; the message names the field and its valid values. */
export class BehaviourError extends Error {
  override name = "BehaviourError";
}

const COUNT = field("a whole number of 0 or more", isCount);
const TEXT = field("a text", isText);
const COUNT_OR_TEXT = field("a whole number of 0 or more, or a text", (value) => isCount(value) || isText(value));
const FLAG = field("true or false", (value) => typeof value === "boolean");
const OBJECT = field("a JSON object", isJsonObject);

/** Length, content and pace of an answer. A "piece" is one delta of a stream and counts as one completion token. */
const SHAPE = {
  headersDelayMs: COUNT,
  chunkDelayMs: COUNT,
  /** Exact number of pieces: the echo is cut or padded. Absent: the echo alone. */
  pieces: COUNT,
  /** Answer instead of the echo. */
  text: TEXT,
  /** Chat only: tokens reported as reasoning, without text. They count as completion tokens and against max_tokens. */
  reasoningTokens: COUNT,
  cachedTokens: COUNT,
  /** Calls the first tool even where tool_choice leaves it open. */
  callTool: FLAG,
  /** Arguments of a tool call. Absent: the caller's whole last message. */
  toolText: TEXT,
  /** Completions only: streams report usage without a request for it, as with some vendors. */
  usageUnasked: FLAG,
};

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

const KINDS = {
  normal: {},
  /** By default 1,000 ms to the headers and 100 ms between pieces. */
  slow: {},
  refuse: {
    status: required(oneOf(400, 401, 403, 404, 429, 500, 502, 503, 529)),
    /** Error body; absent: the usual one of the status. */
    reason: oneOf(
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
    ),
    /** A number is seconds; a string is sent unchanged (an HTTP date, or an invalid text). */
    retryAfter: COUNT_OR_TEXT,
    message: TEXT,
  },
  /**
   * Stops sending and keeps the socket open. `afterChunks`: absent is before the headers, 0 after them, N after N pieces or in the middle of
   * a body that is no stream.
   */
  stall: { afterChunks: COUNT },
  cut: {
    /**
     * `accept`: before any answer; as a fixed behaviour, on accepting the connection, without a record.
     * `body` (default): after `afterChunks` pieces, or in the middle of a body that is no stream.
     */
    at: oneOf("accept", "body"),
    /** Default 1; 0 is after the headers. */
    afterChunks: COUNT,
    /** Sends a TCP reset instead of an orderly end. */
    reset: FLAG,
  },
  /** Status 200 with a faulty body. Faults of streams leave other answers unchanged. */
  malformed: {
    fault: required(oneOf(...malformedFaults)),
    /** `bad-json` and `long-line` in a stream: valid pieces before it; default 1. */
    afterChunks: COUNT,
    /** `long-line`: length of the line in MiB; default 8. */
    lineMegabytes: COUNT,
  },
  /** A stream (or a JSON body) without end, as fast as the caller reads. `chunkBytes`: length of a piece; absent: one filler word. */
  endless: { chunkBytes: COUNT },
  /** Normal answer with headers that a gateway must not forward. */
  "unsolicited-headers": {},
  "usage-override": {
    report: required(oneOf("given", "zero", "none", "total-only")),
    /** For `given`: the usage object, sent unchanged. */
    usage: OBJECT,
  },
  /** Sends an error after `afterChunks` pieces (default 1) and no [DONE]; a JSON answer is a 200 with an error body. */
  "error-in-stream": {
    afterChunks: COUNT,
    /** `named-event` (default) puts `event: error` before the data. */
    form: oneOf("named-event", "data-only"),
  },
};

type BehaviourKind = keyof typeof KINDS;
export type AnswerShape = ValuesOf<typeof SHAPE>;

/** Behaviour for one request. Every kind may also have the fields of AnswerShape. */
export type Behaviour = AnswerShape &
  { [Kind in BehaviourKind]: { kind: Kind } & ValuesOf<(typeof KINDS)[Kind]> }[BehaviourKind];

export type RefuseBehaviour = Extract<Behaviour, { kind: "refuse" }>;
export type RefusalStatus = RefuseBehaviour["status"];
export type RefusalReason = NonNullable<RefuseBehaviour["reason"]>;
export type MalformedFault = (typeof malformedFaults)[number];

/** Throws BehaviourError for a value that is no behaviour. */
export function checkBehaviour(value: unknown): asserts value is Behaviour {
  if (!isJsonObject(value)) throw new BehaviourError('a behaviour must be a JSON object such as {"kind":"normal"}');
  const kinds: Readonly<Record<string, Fields>> = KINDS;
  const kind = required(oneOf(...Object.keys(KINDS)));
  const all: Fields = { ...SHAPE, kind, ...kinds[String(value["kind"])] };
  for (const [name, { expected, fits, isRequired }] of Object.entries(all)) {
    if (value[name] === undefined && isRequired !== true) continue;
    if (value[name] === undefined) throw new BehaviourError(`${name} is missing; it must be ${expected}`);
    if (!fits(value[name])) throw new BehaviourError(`${name} must be ${expected}`);
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new BehaviourError(`${unknown} is no field of this kind of behaviour`);
}

interface Field<Value> {
  readonly expected: string;
  readonly fits: (value: unknown) => value is Value;
  readonly isRequired?: true;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;

type RequiredNames<Of> = { [Name in keyof Of]: Of[Name] extends { isRequired: true } ? Name : never }[keyof Of];

type ValuesOf<Of> = { [Name in RequiredNames<Of>]: ValueOf<Of[Name]> } & {
  [Name in Exclude<keyof Of, RequiredNames<Of>>]?: ValueOf<Of[Name]> | undefined;
};

function field<Value>(expected: string, fits: (value: unknown) => value is Value): Field<Value> {
  return { expected, fits };
}

function required<Value>(of: Field<Value>): Field<Value> & { readonly isRequired: true } {
  return { ...of, isRequired: true };
}

function oneOf<const Value extends string | number>(...values: readonly Value[]): Field<Value> {
  const known: ReadonlySet<unknown> = new Set(values);
  return field(`one of ${values.join(", ")}`, (value): value is Value => known.has(value));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
