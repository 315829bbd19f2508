import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";

interface SheddingLog {
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

/** Files that are open besides callers' and providers' connections: database, logs, threads, other connections. */
const RESERVED_FILES = 128;
/** A call takes a connection from its caller and one to a provider. */
const FILES_PER_CALL = 2;
/** Upper bound of refused connections that get a 503 at one time; others are closed at once. */
const MAX_TOLD = 32;
/** Time for a refused caller to read its 503, in ms. */
const TOLD_MS = 500;

const REFUSAL =
  "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\nContent-Type: application/json\r\nContent-Length: 101\r\n\r\n" +
  '{"error":{"message":"The gateway has no connection left. Try again.","code":"overloaded","param":""}}';

/** Upper bound of callers' connections, so that each has a file for itself and its work. Undefined without a known limit. */
export function mostConnections(openFiles: number | undefined): number | undefined {
  if (openFiles === undefined) return undefined;
  const reserved = Math.min(RESERVED_FILES, Math.floor(openFiles / 2));
  return Math.max(1, Math.floor((openFiles - reserved) / FILES_PER_CALL));
}

/** Undefined where the system reports none. */
export function readOpenFileLimit(): number | undefined {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    return line?.[1] === undefined ? undefined : Number(line[1]);
  } catch {
    return undefined;
  }
}

/**
 * Refuses connections above the limit with 503, since a request without a file descriptor would fail. Returns true for
 * a refused connection; its requests must be ignored.
 */
export function shedConnections(server: Server, most: number, log: SheddingLog): (socket: Socket) => boolean {
  const refused = new Set<Socket>();
  let open = 0;
  let isShedding = false;

  const refuse = (socket: Socket) => {
    if (!isShedding)
      log.warn({ most }, "more callers are connected than files may be open: new connections are refused");
    isShedding = true;
    if (refused.size >= MAX_TOLD) return void socket.destroy();
    refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), TOLD_MS);
    socket.once("close", () => {
      clearTimeout(timer);
      refused.delete(socket);
    });
    socket.end(REFUSAL);
  };
  server.on("connection", (socket) => {
    if (open >= most) return refuse(socket);
    open += 1;
    socket.once("close", () => {
      open -= 1;
      if (!isShedding || open > most / 2) return;
      isShedding = false;
      log.info({ most }, "connections are accepted again");
    });
  });
  return (socket) => refused.has(socket);
}
