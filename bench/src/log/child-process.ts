import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

// Cost of the log store's process, by Linux's counters.

export function findLogStoreProcess(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  const found = children.find((id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes("log-store/src/child/main"));
  if (found === undefined) throw new Error("The log store's process does not run.");
  return Number(found);
}

/** Returns the CPU time of all threads of a process, in ms. */
export function readCpuMs(pid: number): number {
  let total = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return total / 1e6;
}

/** Returns the memory of a process now and at its peak, in MB. */
export function readMemory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Removes a file from the system's cache. */
export function forgetFile(file: string): void {
  execFileSync("dd", [`of=${file}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], { stdio: "ignore" });
}
