import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Http1Server, type Http1ServerOptions, type ServerHooks } from "../server/http1-server.ts";
import type { RequestHandler } from "../server/plain-connection.ts";
import { portOf } from "./port-of.ts";

/** A listening server whose POSTs under `/v1/` are read from the socket, or by Node for comparison. */
export interface Http1TestServer {
  readonly server: Http1Server;
  /** Number of requests that were read from the socket. */
  readonly plainRequests: number;
  /** Opens a connection that may end its side and still read. */
  open(): Promise<Socket>;
  /** Sends the bytes, ends its side and returns the whole response. */
  exchange(bytes: Buffer | string): Promise<string>;
  close(): Promise<void>;
}

/** The reader of requests. */
export type Reader = "http1" | "node";

const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 75_000,
  unreadBodyTimeout: 10_000,
  connectionsCheckingInterval: 20,
} as const;

/** Starts a server on a free port. Close it after the test. */
export async function startHttp1Server(
  reader: Reader,
  handler: RequestHandler,
  options: Partial<Http1ServerOptions> = {},
  hooks: Partial<ServerHooks> = {},
): Promise<Http1TestServer> {
  const server = new Http1Server({ ...TIMEOUTS, ...options }, handler);
  let plainRequests = 0;
  const counted: RequestHandler = (request, response) => {
    plainRequests += 1;
    handler(request, response);
  };
  const handlerOf = (url: string) => (reader === "http1" && url.startsWith("/v1/") ? counted : undefined);
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    if (socket.writable) socket.write(`HTTP/1.1 400 ${error.code}\r\n\r\n`);
    socket.destroy(error);
  });
  server.serve({
    handlerOf,
    isShed: () => false,
    isStopping: () => false,
    drain: () => undefined,
    ...hooks,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  };
  return {
    server,
    get plainRequests() {
      return plainRequests;
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

/** Returns all that arrives until the connection closes or fails, as latin1, with equal dates. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes) => (text += bytes.toString("latin1")));
  if (!socket.readableEnded && !socket.destroyed) {
    await new Promise<void>((resolve) => socket.once("end", resolve).once("close", () => resolve()));
  }
  socket.destroy();
  return text.replaceAll(/^Date: .*$/gm, "Date: now");
}

/** A plain request. */
export function plainRequest(body = "", headers: readonly string[] = [], path = "/v1/echo"): string {
  const lines = [`POST ${path} HTTP/1.1`, "Host: gateway", `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
