import { createExternalStore } from "../state/external-store.ts";

/** Longest wait for an idle moment. */
const PATIENCE_MS = 2_000;
/** Between two looks whether the page still waits, in ms. */
const PAUSE_MS = 50;

const idle = createExternalStore(false);
const waiting: (() => void)[] = [];

/** True once the first page stands and the browser has nothing to do; the component follows the change. */
export const useIsIdle = () => idle.use();

/** Runs a preload once the first page is shown. A failed load is repeated when it is needed. */
export function whenIdle(load: () => Promise<unknown>): void {
  const start = () => void load().catch(() => undefined);
  if (idle.get()) start();
  else waiting.push(start);
}

/**
 * Reports the first page as shown: preloads begin in the next quiet moment without pending requests, or after two
 * seconds.
 */
export function startIdleLoading(isWaiting: () => boolean): void {
  const latest = performance.now() + PATIENCE_MS;
  const begin = () => {
    if (idle.get()) return;
    if (isWaiting() && performance.now() < latest) return void setTimeout(whenQuiet, PAUSE_MS);
    // Marks for measurements that all before this was needed, and all after it comes ahead of need.
    performance.mark("ahead-of-need");
    idle.set(true);
    for (const start of waiting.splice(0)) start();
  };
  const whenQuiet = () => {
    // Safari has no such call.
    if ("requestIdleCallback" in window) window.requestIdleCallback(begin, { timeout: PATIENCE_MS });
    else begin();
  };
  whenQuiet();
}
