import { setTimeout as pause } from "node:timers/promises";

/** More than the slowest machine needs, and less than a test may take. */
const LONGEST_WAIT_MS = 60_000;

/** Waits until the condition holds. Rejects, naming the condition and its place, where it never does. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const neverCame = new Error(`This never came about: ${condition.toString()}`);
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw neverCame;
    await pause(5);
  }
}
