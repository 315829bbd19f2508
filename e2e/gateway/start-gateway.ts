import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DatabaseLocation } from "@one-api/database/open-database";

export const SERVER = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));

/** A gateway of its own: the real server process. */
export interface Gateway {
  readonly url: string;
  readonly pid: number;
  /** Asks it to end, as a service manager does, and resolves with its exit code. */
  terminate(): Promise<number | null>;
  stop(): Promise<void>;
  /** Stops it where it is, as a machine that hangs, and lets it go on. */
  freeze(): void;
  thaw(): void;
  /** Kills it at once, without a chance to tidy up; the data stays. */
  kill(): Promise<void>;
}

/**
 * Starts the server on a free port and resolves when it is ready. `location`: an existing database; `openFiles`: limit
 * of open files; `environment`: further variables; `program`: the server's file, of this release by default.
 */
export async function startGateway(
  location?: DatabaseLocation,
  openFiles?: number,
  environment: Readonly<Record<string, string>> = {},
  program: string = SERVER,
): Promise<Gateway> {
  const { dataDirectory, databaseUrl } = location ?? {
    dataDirectory: mkdtempSync(join(tmpdir(), "one-api-e2e-")),
    databaseUrl: "",
  };
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", program];
  const limited = openFiles === undefined ? [] : ["-c", `ulimit -n ${openFiles} && exec "$0" "$@"`];
  const [executable = "", ...options] = openFiles === undefined ? command : ["/bin/sh", ...limited, ...command];
  const server = spawn(executable, options, {
    env: {
      ...process.env,
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: dataDirectory,
      DATABASE_URL: databaseUrl,
      REDIS_URL: "",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = "";
    server.once("exit", (code) => reject(new Error(`The server ended with code ${code}: ${printed}`)));
    server.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      const address = /ready at (http:\/\/\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, "exit");
  };
  return {
    url,
    pid: server.pid ?? 0,
    async terminate() {
      await end("SIGTERM");
      return server.exitCode;
    },
    async stop() {
      await end("SIGTERM");
      rmSync(dataDirectory, { recursive: true, force: true });
    },
    freeze: () => void server.kill("SIGSTOP"),
    thaw: () => void server.kill("SIGCONT"),
    kill: () => end("SIGKILL"),
  };
}
