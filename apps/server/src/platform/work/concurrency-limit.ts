/** Runs the work now or when a place is free. Calls `refuse`, which throws, when too many wait. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A limit with so many places and so many that may wait, first come first served. */
export function createConcurrencyLimit(places: number, maxWaiting: number, refuse: () => never): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= places) {
      if (waiting.length >= maxWaiting) refuse();
      // Passes on the place itself, so a newcomer cannot take it first.
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
