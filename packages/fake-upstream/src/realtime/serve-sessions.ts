import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { geminiErrorBody } from "../answers/gemini/gemini-api.ts";
import { readToken } from "../answers/vertex/google-token.ts";
import type { Behaviour } from "../behaviour.ts";
import { bearerKey, checkKey, openAiErrorBody, refusalBody, RequestRefused } from "../refusal.ts";
import { openRecord, type RequestRecord } from "../request-log.ts";
import type { UpstreamSettings } from "../upstream-settings.ts";
import { LiveStub } from "./live-stub.ts";
import { RealtimeStub } from "./realtime-stub.ts";

/** What the sessions of one fake upstream share with its requests. */
export interface SessionContext {
  readonly settings: UpstreamSettings;
  readonly behaviourFor: (record: RequestRecord) => Behaviour;
  readonly opened: (record: RequestRecord) => void;
  /** The caller has closed the session, or it was cut. */
  readonly closed: (record: RequestRecord) => void;
}

const PATHS = /^(?:\/v1|\/openai\/v1|\/openai)\/realtime(?:\?|$)/;
/** Google's, by its two services. Source: https://ai.google.dev/api/live */
const LIVE_PATHS =
  /^\/{1,2}ws\/google\.(?:ai\.generativelanguage\.v1(?:alpha|beta)?\.GenerativeService\.|cloud\.aiplatform\.v1(?:beta1)?\.LlmBidiService\/)BidiGenerateContent(?:\?|$)/;

/** True for a request to open a session. */
export function isSession({ url, headers }: IncomingMessage): boolean {
  return headers.upgrade === "websocket" && [PATHS, LIVE_PATHS].some((paths) => paths.test(url ?? ""));
}

/**
 * Serves OpenAI's realtime API over WebSockets, Azure's and Google's, beside what else the server does; returns what cuts all sessions.
 * Source: https://platform.openai.com/docs/guides/realtime-websocket
 */
export function serveSessions(server: Server, context: SessionContext): () => void {
  const sockets = new Set<WebSocket>();
  const acceptor = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has("realtime") ? "realtime" : false),
  });
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const record = openRecord(request);
    record.receivedAtMs = Date.now();
    const behaviour = context.behaviourFor(record);
    try {
      check(record, behaviour, context.settings);
    } catch (error) {
      context.opened(record);
      return refuse(connection, record, error);
    }
    acceptor.handleUpgrade(request, connection, head, (socket) => {
      record.status = 101;
      context.opened(record);
      sockets.add(socket);
      const parts = { socket, record, behaviourFor: () => context.behaviourFor(record) };
      const stub = LIVE_PATHS.test(record.path) ? new LiveStub(parts) : new RealtimeStub(parts);
      socket.on("close", () => {
        sockets.delete(socket);
        stub.stop();
        record.abortedAtMs = Date.now();
        context.closed(record);
      });
      stub.begin(modelOf(record));
    });
  });
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

function modelOf({ query }: RequestRecord): string {
  const values = new URLSearchParams(query);
  return values.get("model") ?? values.get("deployment") ?? "";
}

function check(record: RequestRecord, behaviour: Behaviour, settings: UpstreamSettings): void {
  const { headers, path, query } = record;
  if (LIVE_PATHS.test(path)) checkKey(liveKey(record), settings.keys);
  else {
    const isAzure = path.startsWith("/openai");
    const protocol = /openai-insecure-api-key\.([^,\s]+)/.exec(headers["sec-websocket-protocol"] ?? "")?.[1];
    const sent = isAzure ? headers["api-key"] : (bearerKey(headers.authorization) ?? protocol);
    checkKey(typeof sent === "string" ? sent : undefined, settings.keys);
    if (modelOf(record) === "") throw new RequestRefused(400, openAiErrorBody("You must provide a model parameter."));
    const needsVersion = path === "/openai/realtime" && !new URLSearchParams(query).has("api-version");
    if (needsVersion) throw new RequestRefused(404, openAiErrorBody("Resource not found"));
  }
  if (behaviour.kind === "refuse") throw new RequestRefused(behaviour.status, refusalBody(behaviour));
}

function liveKey({ headers, path, query }: RequestRecord): string | undefined {
  if (path.includes("aiplatform")) return readToken(headers);
  const key = headers["x-goog-api-key"];
  return typeof key === "string" ? key : (new URLSearchParams(query).get("key") ?? undefined);
}

function refuse(connection: Duplex, record: RequestRecord, error: unknown): void {
  if (!(error instanceof RequestRefused)) throw error;
  record.status = error.status;
  const isGoogles = LIVE_PATHS.test(record.path);
  const body = JSON.stringify(isGoogles ? geminiErrorBody(error.status, error.body) : error.body);
  connection.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
