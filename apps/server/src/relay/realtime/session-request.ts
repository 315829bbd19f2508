import type { IncomingMessage } from "node:http";
import { repeatedHeader } from "../../core/repeated-header.ts";
import { badField } from "../body/read-ask.ts";
import { openai } from "../dialects/openai.ts";
import { headerOf, queryOf } from "../dialects/read-credential.ts";
import { RelayError } from "../relay-error.ts";

/** Where sessions are opened. */
const REALTIME_PATH = /^\/v1\/realtime\/?(?:\?|$)/;

/** True for a request to open a session; every other upgrade is answered as if nobody had asked for it (RFC 9110, 7.8). */
export function isSessionRequest({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && REALTIME_PATH.test(url ?? "") && headers.upgrade?.toLowerCase() === "websocket";
}

/** What is spoken, by its name among WebSockets. */
export const SUBPROTOCOL = "realtime";
/** How browsers send what they have no header for. */
const KEY_PROTOCOL = "openai-insecure-api-key.";
const BETA_PROTOCOL = "openai-beta.";

function protocolsOf({ headers }: IncomingMessage): readonly string[] {
  return headerOf(headers, "sec-websocket-protocol")
    .split(",")
    .map((name) => name.trim());
}

function namedProtocol(request: IncomingMessage, prefix: string): string {
  return (
    protocolsOf(request)
      .find((name) => name.startsWith(prefix))
      ?.slice(prefix.length) ?? ""
  );
}

/** The key as it was sent, among the subprotocols too; empty without. */
export function readKey(request: IncomingMessage): string {
  const key = openai.readCredential(request.headers, queryOf(request.url));
  return key === "" ? namedProtocol(request, KEY_PROTOCOL) : key;
}

/** Which version of the events the caller speaks, where it is not today's: the provider is to speak it too. */
export function readBeta(request: IncomingMessage): Record<string, string> {
  const beta = headerOf(request.headers, "openai-beta") || namedProtocol(request, BETA_PROTOCOL).replace("-", "=");
  return /^realtime=v\d+$/.test(beta) ? { "openai-beta": beta } : {};
}

const MAX_MODEL_LENGTH = 256;

/** The model that the address names. Throws a RelayError (400) where it names none, or several. */
export function readModel({ url }: IncomingMessage): string {
  const query = new URLSearchParams(queryOf(url));
  const names = [...query.getAll("model"), ...query.getAll("deployment")];
  const [model = ""] = names;
  if (query.has("call_id")) throw badField("call_id", "Calls of others cannot be listened to here. Leave call_id out.");
  if (model === "" || names.length > 1 || model.length > MAX_MODEL_LENGTH)
    throw badField("model", "Name one model to speak with in the address, for example ?model=gpt-realtime.");
  return model;
}

const ONCE_ONLY: ReadonlySet<string> = new Set([
  "host",
  "authorization",
  "x-api-key",
  "x-goog-api-key",
  "sec-websocket-key",
  "sec-websocket-version",
]);

/** Why the headers are no request for a WebSocket; undefined where they are one. */
export function refusalOfHeaders(request: IncomingMessage): RelayError | undefined {
  const repeated = repeatedHeader(request, ONCE_ONLY);
  if (repeated !== undefined) return invalidHeader(`The header ${repeated} was sent more than once. Send it once.`);
  const { "sec-websocket-key": key = "", "sec-websocket-version": version } = request.headers;
  if (/^[\w+/]{22}==$/.test(key) && version === "13") return undefined;
  return invalidHeader(
    "This is no request for a WebSocket: sec-websocket-key and sec-websocket-version 13 are needed.",
  );
}

function invalidHeader(message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_header", message });
}
