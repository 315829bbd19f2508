import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CORE } from "./spawn-pinned.ts";

/** Result of one load run. Times in ms. */
export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number;
}

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Header of the key, and the prefix of its value. */
  readonly keyHeader: readonly [name: string, prefix: string];
  /** Taken in turn. */
  readonly keys: readonly string[];
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  readonly folder: string;
}

/** Loads a URL with POST requests through wrk. Throws when wrk is not installed (Debian: apt install wrk). */
export async function runWrk(load: Load): Promise<LoadResult> {
  const script = join(load.folder, "load.lua");
  const keys = join(load.folder, "keys.txt");
  writeFileSync(keys, load.keys.join("\n"));
  writeFileSync(script, scriptOf(load, keys));
  const { connections, seconds, url } = load;
  const wrk = ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script, url];
  try {
    const { stdout } = await promisify(execFile)("taskset", ["-c", String(CORE.others), ...wrk]);
    return readOutput(stdout);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === 127;
    throw isMissing ? new Error("wrk is not installed: apt install wrk", { cause: error }) : error;
  } finally {
    rmSync(script);
    rmSync(keys);
  }
}

/** Requests are put together before the load, one for each key, so that thousands of keys cost wrk no more than one. */
function scriptOf({ headers, keyHeader: [name, prefix], body }: Load, keys: string): string {
  const fixed = { "Content-Type": "application/json", ...headers };
  const setHeaders = Object.entries(fixed).map(
    ([header, value]) => `wrk.headers[${JSON.stringify(header)}] = ${JSON.stringify(value)}`,
  );
  return `${setHeaders.join("\n")}
local body = ${JSON.stringify(body)}
local requests, at = {}, 0
function init()
  for key in io.lines(${JSON.stringify(keys)}) do
    wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(prefix)} .. key
    requests[#requests + 1] = wrk.format("POST", nil, wrk.headers, body)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
`;
}

function readOutput(output: string): LoadResult {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const errors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  return {
    requests: number(/(\d+) requests in/),
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: readTime(/50%\s+([\d.]+)(us|ms|s)/.exec(output)),
    p99: readTime(/99%\s+([\d.]+)(us|ms|s)/.exec(output)),
    failures: number(/Non-2xx or 3xx responses: (\d+)/) + errors.reduce((sum, count) => sum + count, 0),
  };
}

function readTime(match: RegExpExecArray | null): number {
  const factor = match?.[2] === "us" ? 0.001 : match?.[2] === "s" ? 1000 : 1;
  return Number(match?.[1] ?? 0) * factor;
}
