import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import { checkKey, refusalBody, RequestRefused } from "@one-api/providers/stub-kit/refusal";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import type { StubSettings } from "@one-api/providers/stub-kit/settings";
import type { SessionApi } from "@one-api/providers/stub-kit/stub";
import { type WebSocket, WebSocketServer } from "ws";
import { markedBehaviour } from "./parse-behaviour.ts";
import { openRecord } from "./request-log.ts";
import { stubOf } from "./stubs.ts";

export interface SessionContext {
  readonly settings: StubSettings;
  readonly root: string;
  readonly behaviourFor: (record: RequestRecord) => Behaviour;
  readonly opened: (record: RequestRecord) => void;
  readonly closed: (record: RequestRecord) => void;
}

function sessionsOf({ vendor, path, headers }: RequestRecord): SessionApi | undefined {
  const sessions = stubOf(vendor)?.sessions;
  return headers.upgrade === "websocket" && sessions?.path.test(path) === true ? sessions : undefined;
}

export function isSession(request: IncomingMessage, root: string): boolean {
  return sessionsOf(openRecord(request, root)) !== undefined;
}

/** Serves the vendors' WebSockets beside their HTTP APIs. Returns a function that cuts all sessions. */
export function serveSessions(server: Server, context: SessionContext): () => void {
  const sockets = new Set<WebSocket>();
  const acceptor = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has("realtime") ? "realtime" : false),
  });
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    const record = openRecord(request, context.root);
    const api = sessionsOf(record);
    if (api === undefined) return connection.destroy();
    record.receivedAtMs = Date.now();
    const behaviour = context.behaviourFor(record);
    try {
      checkKey(api.readKey(record), context.settings.keys);
      if (behaviour.kind === "refuse") throw new RequestRefused(behaviour.status, refusalBody(behaviour));
    } catch (error) {
      context.opened(record);
      return refuse(connection, record, api, error);
    }
    acceptor.handleUpgrade(request, connection, head, (socket) => {
      record.status = 101;
      context.opened(record);
      sockets.add(socket);
      const session = api.open({ socket, record, behaviourFor: () => context.behaviourFor(record), markedBehaviour });
      socket.on("close", () => {
        sockets.delete(socket);
        session.stop();
        record.abortedAtMs = Date.now();
        context.closed(record);
      });
    });
  });
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

function refuse(connection: Duplex, record: RequestRecord, api: SessionApi, error: unknown): void {
  if (!(error instanceof RequestRefused)) throw error;
  record.status = error.status;
  const body = JSON.stringify(api.writeError(error.status, error.body));
  connection.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ""}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
