import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { portOf } from "@one-api/http1/testing/port-of";

/** A proxy that connects every target to one port, so that requests past it fail. */
export interface Tunnel {
  /** URL with credentials, as the proxy option accepts it. */
  readonly url: string;
  /** Requested targets (name and port) and credentials. */
  readonly asked: readonly { readonly target: string; readonly login: string }[];
  leadTo(port: number): void;
  close(): void;
}

/** An HTTP proxy with CONNECT (RFC 9110, 9.3.6). */
export async function startHttpTunnel(): Promise<Tunnel> {
  const proxy = createHttpServer();
  return await start(proxy, "http", (open) => {
    proxy.on("connect", ({ url = "", headers }, caller: Socket) => {
      const login = headers["proxy-authorization"]?.replace(/^Basic /, "") ?? "";
      open({ target: url, login: Buffer.from(login, "base64").toString() }, caller, "HTTP/1.1 200 OK\r\n\r\n");
    });
  });
}

/** Replies of a SOCKS proxy: username authentication, success, connected (RFC 1928, RFC 1929). */
const [BY_LOGIN, LET_IN, CONNECTED] = [
  [5, 2],
  [1, 0],
  [5, 0, 0, 1, 0, 0, 0, 0, 0, 0],
].map((bytes) => Buffer.from(bytes));

/** A SOCKS5 proxy with authentication that receives host names. */
export async function startSocksTunnel(): Promise<Tunnel> {
  const proxy = createServer();
  return await start(proxy, "socks5", (open) => {
    proxy.on("connection", (caller) => {
      caller.on("error", () => undefined);
      void (async () => {
        await once(caller, "data");
        caller.write(BY_LOGIN ?? "");
        const login = await nextBytes(caller);
        const user = login.subarray(2, 2 + (login[1] ?? 0));
        const word = login.subarray(3 + user.length);
        caller.write(LET_IN ?? "");
        const asked = await nextBytes(caller);
        const name = asked.subarray(5, 5 + (asked[4] ?? 0));
        const target = `${name.toString()}:${asked.readUInt16BE(5 + name.length)}`;
        open({ target, login: `${user.toString()}:${word.toString()}` }, caller, CONNECTED ?? "");
      })();
    });
  });
}

async function nextBytes(socket: Socket): Promise<Buffer> {
  const received: unknown[] = await once(socket, "data");
  const [bytes] = received;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}

type Open = (asked: Tunnel["asked"][number], caller: Socket, greeting: string | Buffer) => void;

async function start(server: Server, scheme: string, listen: (open: Open) => void): Promise<Tunnel> {
  const asked: Tunnel["asked"][number][] = [];
  const sockets = new Set<Socket>();
  let port = 0;
  listen((asking, caller, greeting) => {
    asked.push(asking);
    const onward = connect(port, "127.0.0.1", () => {
      caller.write(greeting);
      onward.pipe(caller).pipe(onward);
    });
    for (const socket of [onward, caller]) sockets.add(socket.on("error", () => undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${scheme}://me:word@127.0.0.1:${portOf(server)}`,
    asked,
    leadTo: (other) => (port = other),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
