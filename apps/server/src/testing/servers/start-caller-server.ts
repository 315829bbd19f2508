import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { CallerRequest, CallerResponse } from "../../platform/requests/caller-exchange.ts";
import { CallerServer, type CallerServerOptions, type Takers } from "../../http/direct/caller-server.ts";

/** Answers a request, whoever read it. */
export type Answer = (request: CallerRequest, response: CallerResponse) => void;

/** A listening server whose POSTs under `/v1/` are read directly or, for comparison, by Node alone. */
export interface CallerServerTest {
  readonly server: CallerServer;
  /** How many requests were read directly so far. */
  readonly direct: number;
  /** A new connection that may close its side and go on reading. */
  open(): Promise<Socket>;
  /** Sends these bytes and nothing more, and returns all that is answered. */
  exchange(bytes: Buffer | string): Promise<string>;
  close(): Promise<void>;
}

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 75_000,
  unreadBodyTimeout: 10_000,
  connectionsCheckingInterval: 20,
} as const;

/** Starts the server on a free port. Close it after the test. */
export async function startCallerServer(
  way: "direct" | "node",
  answer: Answer,
  options: Partial<CallerServerOptions> = {},
  takers: Partial<Takers> = {},
): Promise<CallerServerTest> {
  const server = new CallerServer({ ...TIMES, ...options }, answer);
  let direct = 0;
  const counted: Answer = (request, response) => {
    direct += 1;
    answer(request, response);
  };
  const answererOf = (url: string) => (way === "direct" && url.startsWith("/v1/") ? counted : undefined);
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    if (socket.writable) socket.write(`HTTP/1.1 400 ${error.code}\r\n\r\n`);
    socket.destroy(error);
  });
  server.take({
    answererOf,
    isShed: () => false,
    isStopping: () => false,
    drain: () => undefined,
    ...takers,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server does not listen.");
  const open = async (): Promise<Socket> => {
    const socket = connect({ port: bound.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  return {
    server,
    get direct() {
      return direct;
    },
    open,
    async exchange(bytes) {
      const socket = await open();
      socket.end(bytes);
      return readToEnd(socket);
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** All that comes until the other side closes, or breaks, the connection; a letter for each byte, with every date made the same. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes) => (text += bytes.toString("latin1")));
  if (!socket.readableEnded && !socket.destroyed) {
    await new Promise<void>((resolve) => socket.once("end", resolve).once("close", () => resolve()));
  }
  socket.destroy();
  return text.replaceAll(/^Date: .*$/gm, "Date: now");
}

/** A request in the plain form. */
export function plainCall(body = "", headers: readonly string[] = [], path = "/v1/echo"): string {
  const lines = [`POST ${path} HTTP/1.1`, "Host: gateway", `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
