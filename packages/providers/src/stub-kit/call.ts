import type { StubSettings } from "./settings.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import type { JsonObject } from "./json-fields.ts";

export interface Call {
  id: string;
  path: string;
  params: Readonly<Record<string, string>>;
  base: string;
  query: string;
  /** Empty without a JSON object. */
  body: JsonObject;
  text: string;
  behaviour: Behaviour;
  settings: StubSettings;
  headers: IncomingHttpHeaders;
}

/** The JSON of one event of a stream, without `data:`. */
export interface StreamEvent {
  data: string;
  name?: string;
  /** A piece carries content; opening, finish and usage surround it. */
  part: "opening" | "piece" | "finish" | "usage";
  tokens: number;
}

export interface JsonReply {
  kind: "json";
  status?: number;
  /** The behaviour applies to a later answer at another path. */
  isFaultless?: true;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  tokens: number;
}

export interface StreamFraming {
  readonly contentType: string;
  /** `lineEnd` ends a line, `eventEnd` an event: faults change them. */
  encode(event: Pick<StreamEvent, "data" | "name">, lineEnd: string, eventEnd: string): string | Buffer;
}

export const EVENTS: StreamFraming = {
  contentType: "text/event-stream; charset=utf-8",
  encode: ({ data, name }, lineEnd, eventEnd) =>
    `${name === undefined ? "" : `event: ${name}${lineEnd}`}data: ${data}${eventEnd}`,
};

export const LINES: StreamFraming = {
  contentType: "application/x-ndjson",
  encode: ({ data }, lineEnd) => data + lineEnd,
};

export interface StreamReply {
  kind: "stream";
  /** Default: server-sent events. */
  framing?: StreamFraming;
  events: Iterable<StreamEvent>;
  /** End mark of the format; absent where the last event is the end. */
  ending?: Pick<StreamEvent, "data" | "name">;
  toJson: () => JsonReply;
}

/** Sound, or plain text. */
export interface BytesReply {
  kind: "bytes";
  contentType: string;
  pieces: readonly Buffer[];
}

export type Reply = JsonReply | StreamReply | BytesReply;

export type Endpoint = (call: Call) => Reply;

export function json(body: unknown, tokens = 0): JsonReply {
  return { kind: "json", body, tokens };
}

/** An answer without the behaviour's faults, which apply to a later answer at another path. */
export function faultlessJson(body: unknown, status = 200): JsonReply {
  return { kind: "json", isFaultless: true, status, body, tokens: 0 };
}

export function streamOrJson(
  isStream: boolean,
  toJson: () => JsonReply,
  stream: Pick<StreamReply, "events" | "ending" | "framing">,
): Reply {
  return isStream ? { kind: "stream", ...stream, toJson } : toJson();
}

/** By default, a piece is one token. */
export function streamEvent(
  part: StreamEvent["part"],
  data: object,
  { name, tokens = part === "piece" ? 1 : 0 }: { name?: string; tokens?: number | undefined } = {},
): StreamEvent {
  return { ...(name !== undefined && { name }), data: JSON.stringify(data), part, tokens };
}
