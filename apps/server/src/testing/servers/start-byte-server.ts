import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import { portOf } from "./start-tunnel.ts";

/** One request as it came, byte for byte. */
export interface ReceivedRequest {
  /** Up to its empty line, which is left out. */
  readonly head: string;
  readonly body: string;
  /** Which connection it came on, from 0. */
  readonly connection: number;
}

/** A server that knows nothing of HTTP but where requests end. */
export interface ByteServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Starts one on a free port, which hands every whole request to `answer`. `connected` hears of connections, before a request. */
export async function startByteServer(
  answer: (socket: Socket, request: ReceivedRequest) => void,
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
    let needed = 0;
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      while (text.length > 0 && text.length >= needed) {
        const headEnd = text.indexOf("\r\n\r\n");
        if (headEnd === -1) return;
        needed = headEnd + 4 + lengthIn(text.slice(0, headEnd));
        if (text.length < needed) return;
        const request = { head: text.slice(0, headEnd), body: text.slice(headEnd + 4, needed), connection };
        text = text.slice(needed);
        needed = 0;
        requests.push(request);
        answer(socket, request);
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

function lengthIn(head: string): number {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}
