import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Core of the measured process, and of everything else. */
export const CORE = { measured: 0, others: 1 } as const;

/** A process of the benchmark on a core of its own. */
export interface PinnedProcess {
  /** The first address that it printed. */
  readonly url: string;
  memoryMegabytes(): number;
  /** CPU time used so far by its threads and its children, in ms. */
  cpuMs(): number;
  /** Stops it until it is thawed, so that its background work does not disturb the next measurement. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Ends every program that was started and still runs, started fully or not; resolves when all have ended. */
export async function stopPinned(): Promise<void> {
  await Promise.all([...running].map((child) => stopChild(child)));
}

function stopChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return Promise.resolve();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGCONT");
  child.kill("SIGTERM");
  return ended;
}

export type FindUrl = (printed: string) => string | undefined;

const printedUrl: FindUrl = (printed) => /http:\/\/[\w.]+:\d+/.exec(printed)?.[0];

/** Starts a Node program on one core and waits until it prints its address. Throws when it ends before, with what it printed. */
export function spawnPinned(
  core: number,
  program: string[],
  environment: Record<string, string> = {},
  findUrl: FindUrl = printedUrl,
): Promise<PinnedProcess> {
  const child = spawn("taskset", ["-c", String(core), process.execPath, ...program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return new Promise((resolve, reject) => {
    let printed = "";
    let isFound = false;
    const read = (text: Buffer) => {
      if (isFound) return;
      printed += text.toString();
      const url = findUrl(printed);
      if (url === undefined) return;
      isFound = true;
      resolve(describe(child, url));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program.join(" ")} ended with code ${code}:\n${printed}`)));
  });
}

function describe(child: ChildProcess, url: string): PinnedProcess {
  const pid = child.pid ?? 0;
  return {
    url,
    memoryMegabytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024,
    cpuMs: () => cpuMsOf(pid),
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    stop: () => stopChild(child),
  };
}

/** Ticks of the kernel's CPU accounting in a second (sysconf(_SC_CLK_TCK) on Linux). */
const TICKS_PER_SECOND = 100;

/** CPU time that a process used with its threads, and all its children with theirs, in ms: user and system time of /proc/PID/stat (proc_pid_stat(5)). */
export function cpuMsOf(pid: number): number {
  // The name before the bracket may hold anything; of the fields after it the 12th to 15th are the times, ended children included.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * (1_000 / TICKS_PER_SECOND);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return children.split(" ").reduce((sum, child) => sum + (child === "" ? 0 : cpuMsOf(Number(child))), own);
}
