import type { StubSettings } from "./settings.ts";
import type { IncomingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import type { JsonObject } from "./json-fields.ts";

/** What an endpoint needs to know to answer one request. */
export interface Call {
  /** Unique for each request, the same in every run. */
  id: string;
  /** After the vendor's segment. */
  path: string;
  /** Segments that the route names. */
  params: Readonly<Record<string, string>>;
  /** Address of the vendor's API at this server, without a slash at its end. */
  base: string;
  /** Without the question mark. */
  query: string;
  /** Empty when the request had no JSON object for a body. */
  body: JsonObject;
  /** The body as it came. */
  text: string;
  behaviour: Behaviour;
  settings: StubSettings;
  /** Lower-case names. */
  headers: IncomingHttpHeaders;
}

/** The JSON of one event of a stream, without `data:`. */
export interface StreamEvent {
  data: string;
  /** The event's own name; absent for none. */
  name?: string;
  /** A piece carries content; opening, finish and usage surround it. */
  part: "opening" | "piece" | "finish" | "usage";
  /** Completion tokens that the event hands over. */
  tokens: number;
}

export interface JsonReply {
  kind: "json";
  /** Default: 200. */
  status?: number;
  /** The behaviour is meant for the answer that follows elsewhere. */
  isSound?: true;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Completion tokens in the body. */
  tokens: number;
}

/** How the events of a stream become bytes. */
export interface StreamFraming {
  readonly contentType: string;
  /** `lineEnd` ends a line, `eventEnd` an event: faults change them. */
  encode(event: Pick<StreamEvent, "data" | "name">, lineEnd: string, eventEnd: string): string | Buffer;
}

/** Server-sent events. */
export const EVENTS: StreamFraming = {
  contentType: "text/event-stream; charset=utf-8",
  encode: ({ data, name }, lineEnd, eventEnd) =>
    `${name === undefined ? "" : `event: ${name}${lineEnd}`}data: ${data}${eventEnd}`,
};

/** A JSON value in each line. */
export const LINES: StreamFraming = {
  contentType: "application/x-ndjson",
  encode: ({ data }, lineEnd) => data + lineEnd,
};

export interface StreamReply {
  kind: "stream";
  /** Default: server-sent events. */
  framing?: StreamFraming;
  events: Iterable<StreamEvent>;
  /** The format's own end; absent where the last event is the end. */
  ending?: Pick<StreamEvent, "data" | "name">;
  /** The same answer as one JSON document. */
  toJson: () => JsonReply;
}

/** Bytes that are neither: sound, or a plain text. */
export interface BytesReply {
  kind: "bytes";
  contentType: string;
  /** One after the other, as the behaviour's pieces. */
  pieces: readonly Buffer[];
}

export type Reply = JsonReply | StreamReply | BytesReply;

export type Endpoint = (call: Call) => Reply;

/** A document that holds no completion tokens unless it says so. */
export function json(body: unknown, tokens = 0): JsonReply {
  return { kind: "json", body, tokens };
}
