import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { portOf } from "@one-api/http1/testing/port-of";

/** A Redis server: the installed `redis-server`, else a stub with the commands that the gateway uses. */
export interface TestRedis {
  readonly url: string;
  close(): Promise<void>;
}

export async function startTestRedis(): Promise<TestRedis> {
  return (await startRealRedis()) ?? startSmallRedis();
}

interface RealRedis extends TestRedis {
  readonly port: number;
  /** Stops or continues the process: while it is stopped, connections stay and nothing is answered. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
}

/** Undefined where `redis-server` is not installed. Without a `port` it takes a free one. */
export async function startRealRedis(port?: number): Promise<RealRedis | undefined> {
  return startRedisAt(port ?? (await freePort()));
}

async function startRedisAt(port: number): Promise<RealRedis | undefined> {
  const redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", "/tmp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ready = new Promise<boolean>((resolve) => {
    redis.once("error", () => resolve(false));
    redis.once("exit", () => resolve(false));
    redis.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes("Ready to accept connections")) resolve(true);
    });
  });
  if (!(await ready)) return undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    signal: (name) => void redis.kill(name),
    async close() {
      if (redis.exitCode !== null || redis.signalCode !== null) return;
      redis.kill("SIGKILL");
      await once(redis, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = await listen(createServer());
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

async function listen(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/**
 * Supports GET, PTTL and SET with PX; answers OK to all else. Source:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
async function startSmallRedis(): Promise<TestRedis> {
  const texts = new Map<string, { readonly text: string; readonly untilMs: number }>();
  const sockets = new Set<Socket>();
  const leftMs = (name: string) => (texts.get(name)?.untilMs ?? 0) - Date.now();
  const answer = ([command = "", name = "", text = "", , ms = "0"]: readonly string[]): string => {
    switch (command.toUpperCase()) {
      case "GET": {
        const kept = leftMs(name) > 0 ? texts.get(name)?.text : undefined;
        return kept === undefined ? "$-1\r\n" : `$${Buffer.byteLength(kept)}\r\n${kept}\r\n`;
      }
      case "PTTL":
        return `:${leftMs(name) > 0 ? leftMs(name) : -2}\r\n`;
      case "SET":
        texts.set(name, { text, untilMs: Date.now() + Number(ms) });
        return "+OK\r\n";
      default:
        return "+OK\r\n";
    }
  };
  const server = await listen(
    createServer((socket) => {
      sockets.add(socket);
      let rest = "";
      socket.on("error", () => socket.destroy());
      socket.on("data", (chunk) => {
        rest += chunk.toString("latin1");
        for (let read = readCommand(rest); read !== undefined; read = readCommand(rest)) {
          rest = rest.slice(read.length);
          socket.write(answer(read.words));
        }
      });
    }),
  );
  return {
    url: `redis://127.0.0.1:${portOf(server)}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** The first command of the text, an array of bulk strings; undefined while incomplete. */
function readCommand(text: string): { readonly words: readonly string[]; readonly length: number } | undefined {
  const [head = "", count = "0"] = /^\*(\d+)\r\n/.exec(text) ?? [];
  let at = head.length;
  const words: string[] = [];
  while (at > 0 && words.length < Number(count)) {
    const [length = "", bytes = "0"] = /^\$(\d+)\r\n/.exec(text.slice(at)) ?? [];
    const start = at + length.length;
    if (length === "" || text.length < start + Number(bytes) + 2) return undefined;
    words.push(text.slice(start, start + Number(bytes)));
    at = start + Number(bytes) + 2;
  }
  return at === 0 ? undefined : { words, length: at };
}
