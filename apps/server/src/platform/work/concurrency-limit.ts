/** Runs the work now or when a slot is free. Calls `refuse`, which throws, if the queue is full. */
export type ConcurrencyLimit = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createConcurrencyLimit(slots: number, maxWaiting: number, refuse: () => never): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= slots) {
      if (waiting.length >= maxWaiting) refuse();
      // Hands over its slot, so that a newcomer cannot take it first.
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
