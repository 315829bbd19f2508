import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { portOf } from "./port-of.ts";

/** One request, byte for byte. */
export interface ReceivedRequest {
  /** Without its empty line. */
  readonly head: string;
  readonly body: string;
  /** Number of its connection, from 0. */
  readonly connection: number;
}

/** A server that parses nothing of HTTP but the ends of requests, and responds with any bytes. */
export interface ByteServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Open connections. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts a server on a free port. `respond` is called for each whole request, `connected` for each connection. */
export async function startByteServer(
  respond: (socket: Socket, request: ReceivedRequest) => void,
  connected: (socket: Socket) => void = () => undefined,
): Promise<ByteServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    connected(socket);
    let text = "";
    let neededLength = 0;
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      while (text.length > 0 && text.length >= neededLength) {
        const headEnd = text.indexOf("\r\n\r\n");
        if (headEnd === -1) return;
        neededLength = headEnd + 4 + contentLength(text.slice(0, headEnd));
        if (text.length < neededLength) return;
        const request = { head: text.slice(0, headEnd), body: text.slice(headEnd + 4, neededLength), connection };
        text = text.slice(neededLength);
        neededLength = 0;
        requests.push(request);
        respond(socket, request);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    port: portOf(server),
    requests,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function contentLength(head: string): number {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
