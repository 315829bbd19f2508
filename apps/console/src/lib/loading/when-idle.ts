import { createExternalStore } from "../state/external-store.ts";

/** Longest wait for an idle moment. */
const PATIENCE_MS = 2_000;
/** Longest wait for the data of the first page: what loads ahead of need would take the slow machine or network from it. */
const DATA_PATIENCE_MS = 10_000;
/** Between two looks whether the page still waits, in ms. */
const PAUSE_MS = 50;

const idle = createExternalStore(false);
const waiting: (() => Promise<unknown>)[] = [];

/** True once the first page stands and the browser has nothing to do; the component follows the change. */
export const useIsIdle = () => idle.use();

/** Runs a preload once the first page is shown. A failed load is repeated when it is needed. */
export function whenIdle(load: () => Promise<unknown>): void {
  waiting.push(load);
  if (idle.get()) void runInTurn();
}

let isRunning = false;

/** Runs one preload after the other, each in an idle moment, so that a press waits for one at most. */
async function runInTurn(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let load = waiting.shift(); load !== undefined; load = waiting.shift()) {
    await idleMoment();
    await load().catch(() => undefined);
  }
  isRunning = false;
}

/** Resolves when the browser has nothing to do. */
function idleMoment(): Promise<void> {
  // Safari has no such call.
  if (!("requestIdleCallback" in window)) return Promise.resolve();
  return new Promise((resolve) => window.requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS }));
}

/** Reports the first page as shown: preloads begin in the next idle moment without pending requests, or after ten seconds. */
export function startIdleLoading(isWaiting: () => boolean): void {
  const latest = performance.now() + DATA_PATIENCE_MS;
  const begin = async () => {
    await idleMoment();
    if (idle.get()) return;
    if (isWaiting() && performance.now() < latest) return void setTimeout(begin, PAUSE_MS);
    // Marks for measurements that all before this was needed, and all after it comes ahead of need.
    performance.mark("ahead-of-need");
    idle.set(true);
    await runInTurn();
  };
  void begin();
}
