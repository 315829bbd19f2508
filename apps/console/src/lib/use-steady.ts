import { useEffect, useRef, useState } from "react";

/** Returns a function that stays the same and calls the latest one, for parts that are rendered only when their data changes. */
export function useSteady<Args extends readonly unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const [steady] = useState(
    () =>
      (...args: Args) =>
        latest.current(...args),
  );
  return steady;
}
