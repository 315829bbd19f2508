import { setTimeout as pause } from "node:timers/promises";

/** More than the slowest machine needs, and less than a test may take. */
const LONGEST_WAIT_MS = 120_000;

/** Waits until the condition holds. What never comes about ends with an error that tells the condition as it is written, and where. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const neverCame = new Error(`What was waited for never came about: ${condition.toString()}`);
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw neverCame;
    await pause(10);
  }
}
