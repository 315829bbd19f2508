import type { IncomingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import type { JsonObject } from "./json-fields.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** What an endpoint needs to know to answer one request. */
export interface Call {
  /** Unique for each request, the same in every run. */
  id: string;
  path: string;
  /** Empty when the request had no JSON object for a body. */
  body: JsonObject;
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
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Completion tokens in the body. */
  tokens: number;
}

export interface StreamReply {
  kind: "stream";
  /** Default: server-sent events. `lines`: a JSON value in each line. */
  framing?: "lines";
  events: Iterable<StreamEvent>;
  /** The format's own end; absent where the last event is the end. */
  ending?: Pick<StreamEvent, "data" | "name">;
  /** The same answer as one JSON document. */
  toJson: () => JsonReply;
}

export type Reply = JsonReply | StreamReply;

export type Endpoint = (call: Call) => Reply;
