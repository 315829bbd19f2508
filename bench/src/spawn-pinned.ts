import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process of the benchmark on a core of its own. */
export interface PinnedProcess {
  /** The first address that it printed. */
  readonly url: string;
  /** Memory in use, in MiB. */
  memoryMegabytes(): number;
  /** CPU time used so far, in ms. */
  cpuMs(): number;
  stop(): void;
}

/** Ticks of the kernel's CPU accounting in a second (sysconf(_SC_CLK_TCK) on Linux). */
const TICKS_PER_SECOND = 100;

/** Starts a Node program on one core and waits until it prints its address. */
export function spawnPinned(
  core: number,
  program: string[],
  environment: Record<string, string> = {},
): Promise<PinnedProcess> {
  const child = spawn("taskset", ["-c", String(core), process.execPath, ...program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    child.once("exit", (code) => reject(new Error(`${program.join(" ")} ended with code ${code}`)));
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      const url = /http:\/\/[\w.]+:\d+/.exec(printed)?.[0];
      if (url !== undefined) resolve(describe(child, url));
    });
  });
}

function describe(child: ChildProcess, url: string): PinnedProcess {
  const stat = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    url,
    memoryMegabytes: () => Number(/VmRSS:\s+(\d+)/.exec(stat("status"))?.[1] ?? 0) / 1024,
    cpuMs() {
      const fields = stat("stat").split(") ")[1]?.split(" ") ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
    },
    stop: () => void child.kill("SIGTERM"),
  };
}
