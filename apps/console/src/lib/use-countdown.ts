import { useEffect, useState } from "react";

/** Returns the seconds that are left, 0 at first, and what starts them anew. */
export function useCountdown(seconds: number): [left: number, start: () => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, () => setLeft(seconds)];
}
