import type { IncomingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import type { JsonObject } from "./json-fields.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** What an endpoint needs to know to answer one request. */
export interface Call {
  /** Unique for each request, the same in every run. */
  id: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** Empty when the request had no JSON object for a body. */
  body: JsonObject;
  /** The body as it came. */
  text: string;
  behaviour: Behaviour;
  settings: UpstreamSettings;
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

export interface StreamReply {
  kind: "stream";
  /** Default: server-sent events. `lines`: a JSON value in each line; `aws-messages`: Amazon's event stream. */
  framing?: "lines" | "aws-messages";
  /** Where the answer calls itself something else than its framing does. */
  contentType?: string;
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
