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

export interface SessionApi {
  readonly dialect: Dialect;
  isAt(url: string): boolean;
  readKey(request: IncomingMessage): string;
  readonly opening: SessionOpening;
}

/** Opened by the address, or by the caller's first message, for which the caller's side opens first. */
type SessionOpening =
  | { readonly by: "address"; readonly parseRequest: (request: IncomingMessage) => ParsedRequest }
  | { readonly by: "message"; readonly parseRequest: (message: Buffer) => SetupRequest };

export interface SetupRequest {
  readonly parsed: ParsedRequest;
  readonly setup: JsonRecord;
  readonly mostTokens: number | undefined;
}

const REALTIME_PATH = /^\/v1\/realtime\/?(?:\?|$)/;
/** Google's two services. The official clients send two slashes if the base URL has no path. */
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

export function sessionApiAt(url: string | undefined): SessionApi | undefined {
  return SESSION_APIS.find((api) => api.isAt(url ?? ""));
}

/** False for other upgrades, which are answered like plain requests (RFC 9110, 7.8). */
export function isSessionRequest({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && sessionApiAt(url) !== undefined;
}

function readSetup(message: Buffer): SetupRequest {
  const setup = liveFormat.realtime?.setup?.read(readBody(message).json);
  if (setup === undefined) throw new Error("The format of sessions has no first message.");
  if (setup.kind === "refused") throw badField(setup.field, setup.message);
  return { parsed: liveRequest(setup.model), setup: setup.message, mostTokens: setup.mostTokens };
}

export const SUBPROTOCOL = "realtime";
/** Prefixes by which browsers send what they cannot put into headers. */
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

function readKey(request: IncomingMessage): string {
  const key = openai.readCredential(request.headers, queryOf(request.url));
  return key === "" ? namedProtocol(request, KEY_PROTOCOL) : key;
}

/** Beta version of the events, if the caller requests one. It is forwarded to the provider. */
function readBeta(request: IncomingMessage): Record<string, string> {
  const beta = headerOf(request.headers, "openai-beta") || namedProtocol(request, BETA_PROTOCOL).replace("-", "=");
  return /^realtime=v\d+$/.test(beta) ? { "openai-beta": beta } : {};
}

const MAX_MODEL_LENGTH = 256;

function readModel({ url }: IncomingMessage): string {
  const query = new URLSearchParams(queryOf(url));
  const names = [...query.getAll("model"), ...query.getAll("deployment")];
  const [model = ""] = names;
  if (query.has("call_id")) throw badField("call_id", "Calls of others cannot be listened to here. Leave call_id out.");
  if (model === "" || names.length > 1 || model.length > MAX_MODEL_LENGTH)
    throw badField("model", "Name one model to speak with in the address, for example ?model=gpt-realtime.");
  return model;
}

const UNIQUE_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "authorization",
  "x-api-key",
  "x-goog-api-key",
  "sec-websocket-key",
  "sec-websocket-version",
]);

export function refusalOfHeaders(request: IncomingMessage): RelayError | undefined {
  const repeated = repeatedHeader(request, UNIQUE_HEADERS);
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
