import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** Longest wait for output after the end: processes that left the group can hold its streams open. */
const LAST_OUTPUT_MS = 1_000;

const exitSchema = z.tuple([z.number().nullable()]).rest(z.unknown());

interface GroupOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  readonly signal: AbortSignal;
  /** Receives both output streams, where `stdio` pipes them. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs a command in its own process group, then kills the rest of the group. Returns the exit code; null after a
 * signal. Rejects if it cannot start.
 */
export async function runGroup(
  command: string,
  options: readonly string[],
  { cwd, env, stdio, signal, onOutput }: GroupOptions,
): Promise<number | null> {
  if (signal.aborted) return null;
  const leader = spawn(command, options, { cwd, env, stdio, detached: true });
  const kill = () => {
    try {
      if (leader.pid !== undefined) process.kill(-leader.pid, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  const streams = [leader.stdout, leader.stderr].flatMap((stream) => stream ?? []);
  for (const stream of streams) stream.on("data", (text: Buffer) => onOutput?.(text.toString()));
  signal.addEventListener("abort", kill);
  try {
    // A command that cannot start rejects both; the exit below reports it.
    const closed = once(leader, "close").catch(() => undefined);
    const [code] = exitSchema.parse(await once(leader, "exit"));
    kill();
    await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
    return code;
  } finally {
    signal.removeEventListener("abort", kill);
    for (const stream of streams) stream.destroy();
  }
}
