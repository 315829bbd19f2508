/** Runs the work now or when a place is free; calls `refuse`, which throws, when too many wait. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A limiter with so many places and so many that may wait, first come first served. */
export function createLimiter(places: number, maxWaiting: number, refuse: () => never): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= places) {
      if (waiting.length >= maxWaiting) refuse();
      // The one that leaves hands its place on, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
