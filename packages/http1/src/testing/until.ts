import { setImmediate as nextTick } from "node:timers/promises";

/** Longer than the slowest machine needs. */
const MAX_WAIT_MS = 120_000;

/** Resolves once the condition holds, checked at every tick of the event loop. Rejects with the condition's text if it never does. */
export async function until(condition: () => boolean): Promise<void> {
  const failure = new Error(`The condition did not hold in time: ${condition.toString()}`);
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw failure;
    await nextTick();
  }
}
