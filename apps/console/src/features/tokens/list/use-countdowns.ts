import { useEffect, useState } from "react";

const TICK_MS = 1_000;

/** Counts down for several rows at once, each from `seconds`. */
export function useCountdowns(seconds: number) {
  const [left, setLeft] = useState<ReadonlyMap<number, number>>(new Map());
  const isRunning = left.size > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      setLeft(
        (before) => new Map([...before].map(([id, rest]) => [id, rest - 1] as const).filter(([, rest]) => rest > 0)),
      );
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return {
    /** Seconds that are left for the row; 0 when it does not count. */
    leftOf: (id: number) => left.get(id) ?? 0,
    start: (id: number) => setLeft((before) => new Map(before).set(id, seconds)),
  };
}
