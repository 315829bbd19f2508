import { createExternalStore } from "../state/external-store.ts";

/** Longest wait for an idle moment, and for the data of the first page: preloads would slow it down. */
const PATIENCE_MS = 10_000;
/** Between two looks whether the page still waits, in ms. */
const PAUSE_MS = 50;

/** Resolves when the browser has nothing to do. */
function idleMoment(): Promise<void> {
  // Safari has no such call.
  if (!("requestIdleCallback" in window)) return Promise.resolve();
  return new Promise((resolve) => window.requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS }));
}

/** Returns a queue of preloads, which wait for the first page. */
export function createPreloads() {
  const idle = createExternalStore(false);
  let begin = () => {};
  // Ends with the last preload so far: one runs after the other, each in an idle moment, so that a press waits for one at most.
  let queue = new Promise<unknown>((resolve) => {
    begin = () => resolve(undefined);
  });
  return {
    /** True once the first page stands and the browser has nothing to do; the component follows the change. */
    useIsIdle: idle.use,

    /** Runs a preload once the first page is shown. A failed load is repeated when it is needed. */
    whenIdle(load: () => Promise<unknown>): void {
      queue = queue
        .then(idleMoment)
        .then(load)
        .catch(() => undefined);
    },

    /** Reports the first page as shown: preloads begin in the next idle moment without pending requests, or after ten seconds. */
    startIdleLoading(isWaiting: () => boolean): void {
      const latest = performance.now() + PATIENCE_MS;
      const look = async () => {
        await idleMoment();
        if (idle.get()) return;
        if (isWaiting() && performance.now() < latest) return void setTimeout(() => void look(), PAUSE_MS);
        // Marks for measurements that all before this was needed, and all after it comes ahead of need.
        performance.mark("ahead-of-need");
        idle.set(true);
        begin();
      };
      void look();
    },
  };
}

export const { useIsIdle, whenIdle, startIdleLoading } = createPreloads();
