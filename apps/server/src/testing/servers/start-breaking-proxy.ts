import { once } from "node:events";
import net from "node:net";

/** A network between the gateway and PostgreSQL that can break. */
export interface BreakingProxy {
  readonly port: number;
  /** Share of commits, 0 to 1, whose answer is lost with the connection, so that their outcome is unknown. */
  lostCommits: number;
  /**
   * Share of commits, 0 to 1, at which all connections break. Counted by commits, so that slow and fast
   * machines behave alike.
   */
  breakingCommits: number;
  breakAll(): void;
  close(): Promise<void>;
}

/** A prepared statement of the ledger, each a transaction of its own, after its name. */
const PREPARED = /([\w-]{22})\0\s*with alive as materialized/g;

/** Starts a proxy on a free port to the server's socket. */
export async function startBreakingProxy(socketPath: string): Promise<BreakingProxy> {
  const open = new Set<net.Socket>();
  const track = (socket: net.Socket, other: net.Socket) => {
    open.add(socket);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      open.delete(socket);
      other.destroy();
    });
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(socketPath);
    track(client, upstream);
    track(upstream, client);
    let losesAnswer = false;
    const committing = new Set(["commit"]);
    client.on("data", (bytes) => {
      for (const [, name = ""] of bytes.toString("latin1").matchAll(PREPARED)) committing.add(name);
      const commits = [...committing].some((text) => bytes.includes(text));
      losesAnswer ||= commits && Math.random() < proxy.lostCommits;
      upstream.write(bytes);
      if (commits && Math.random() < proxy.breakingCommits) proxy.breakAll();
    });
    upstream.on("data", (bytes) => {
      if (losesAnswer) client.destroy();
      else client.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy: BreakingProxy = {
    port: typeof address === "object" && address !== null ? address.port : 0,
    lostCommits: 0,
    breakingCommits: 0,
    breakAll() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      proxy.breakAll();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
