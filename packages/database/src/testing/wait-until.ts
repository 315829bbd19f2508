import { setTimeout as pause } from "node:timers/promises";

/** Enough for slow machines, and less than the timeout of a test. */
const LONGEST_WAIT_MS = 120_000;

/** Polls until the condition is true. A timeout throws an error with the condition's source and the caller's stack. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const timedOut = new Error(`The condition never became true: ${condition.toString()}`);
  const deadlineMs = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw timedOut;
    await pause(5);
  }
}
