import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What one run of load measured. Times in ms. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number;
}

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
  readonly core: number;
}

/** Loads a URL with POST requests through wrk, pinned to a core. Throws when wrk is not installed (Debian: apt install wrk). */
export async function runWrk(load: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), "one-api-bench-"));
  const script = join(folder, "post.lua");
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = ${JSON.stringify(load.body)}\nwrk.headers["Content-Type"] = "application/json"\nwrk.headers["Authorization"] = "Bearer ${load.key}"\n`,
  );
  try {
    const { stdout } = await promisify(execFile)("taskset", [
      "-c",
      String(load.core),
      "wrk",
      "-t1",
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      "--latency",
      "-s",
      script,
      load.url,
    ]);
    return readOutput(stdout);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === 127;
    throw isMissing ? new Error("wrk is not installed: apt install wrk", { cause: error }) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOutput(output: string): LoadResult {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const errors =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  return {
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
