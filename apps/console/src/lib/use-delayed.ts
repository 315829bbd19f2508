import { useEffect, useState } from "react";

/** True once the condition has held for the time, in ms; false again at once when it ends. */
export function useDelayed(condition: boolean, delayMs = 150): boolean {
  const [reached, setReached] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setReached(true), delayMs);
    return () => {
      clearTimeout(timer);
      setReached(false);
    };
  }, [condition, delayMs]);
  return condition && reached;
}
