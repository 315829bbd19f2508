import type { IncomingMessage } from "node:http";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { repeatedHeader } from "../../platform/requests/repeated-header.ts";
import { badField, type ParsedRequest, readBody } from "../body/index.ts";
import {
  type Dialect,
  gemini,
  headerOf,
  liveFormat,
  liveRequest,
  openai,
  ownRequest,
  queryOf,
} from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";

/** Sessions as callers of one dialect open them. */
export interface SessionApi {
  readonly dialect: Dialect;
  /** True at its addresses. */
  isAt(url: string): boolean;
  /** The key as it was sent; empty without. */
  readKey(request: IncomingMessage): string;
  readonly opening: SessionOpening;
}

/** What a session is to be: the address says it, or the caller's first message, for which its side is opened first. */
type SessionOpening =
  | { readonly by: "address"; readonly parseRequest: (request: IncomingMessage) => ParsedRequest }
  | { readonly by: "message"; readonly parseRequest: (message: Buffer) => SetupRequest };

/** What a first message asks for. */
export interface SetupRequest {
  readonly ask: ParsedRequest;
  /** What of it is sent on. */
  readonly setup: JsonRecord;
  readonly mostTokens: number | undefined;
}

const REALTIME_PATH = /^\/v1\/realtime\/?(?:\?|$)/;
/** By the names of Google's two services; the official clients write two slashes where the address has no path. */
const LIVE_PATH =
  /^\/{1,2}ws\/google\.(?:ai\.generativelanguage\.v1(?:alpha|beta)?\.GenerativeService\.|cloud\.aiplatform\.v1(?:beta1)?\.LlmBidiService\/)BidiGenerateContent\/?(?:\?|$)/;

const REALTIME: SessionApi = {
  dialect: openai,
  isAt: (url) => REALTIME_PATH.test(url),
  readKey,
  opening: {
    by: "address",
    parseRequest: (request) => ({
      ...ownRequest("realtime", { model: readModel(request), stream: true }),
      formatHeaders: readBeta(request),
    }),
  },
};

const LIVE: SessionApi = {
  dialect: gemini,
  isAt: (url) => LIVE_PATH.test(url),
  readKey: ({ headers, url }) => gemini.readCredential(headers, queryOf(url)),
  opening: { by: "message", parseRequest: readSetup },
};

const SESSION_APIS = [REALTIME, LIVE];

/** Whose sessions are opened at the address; undefined where none are. */
export function sessionApiAt(url: string | undefined): SessionApi | undefined {
  return SESSION_APIS.find((api) => api.isAt(url ?? ""));
}

/** True for a request to open a session; every other upgrade is answered as if nobody had asked for it (RFC 9110, 7.8). */
export function isSessionRequest({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && sessionApiAt(url) !== undefined;
}

/** Throws a 400 RelayError that names the field. */
function readSetup(message: Buffer): SetupRequest {
  const setup = liveFormat.realtime?.setup?.read(readBody(message).json);
  if (setup === undefined) throw new Error("The format of sessions has no first message.");
  if (setup.kind === "refused") throw badField(setup.field, setup.message);
  return { ask: liveRequest(setup.model), setup: setup.message, mostTokens: setup.mostTokens };
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
function readKey(request: IncomingMessage): string {
  const key = openai.readCredential(request.headers, queryOf(request.url));
  return key === "" ? namedProtocol(request, KEY_PROTOCOL) : key;
}

/** Which version of the events the caller speaks, where it is not today's: the provider is to speak it too. */
function readBeta(request: IncomingMessage): Record<string, string> {
  const beta = headerOf(request.headers, "openai-beta") || namedProtocol(request, BETA_PROTOCOL).replace("-", "=");
  return /^realtime=v\d+$/.test(beta) ? { "openai-beta": beta } : {};
}

const MAX_MODEL_LENGTH = 256;

/** The model that the address names. Throws a RelayError (400) where it names none, or several. */
function readModel({ url }: IncomingMessage): string {
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
