import { useEffect, useEffectEvent, useState } from "react";

interface Drag {
  readonly from: number;
  readonly to: number;
}

/**
 * Drawing over bars with the mouse: `begin` on the bar that is pressed, `reach` on each that the mouse comes to; `onEnd` hears of the first and the
 * last bar once it is released over another one than it began with. Escape gives up. Returns the bars that are drawn over, none while nothing is.
 */
export function useBarDrag(onEnd: (first: number, last: number) => void) {
  const [drag, setDrag] = useState<Drag>();
  const isDragging = drag !== undefined;
  const end = useEffectEvent(() => {
    if (drag !== undefined && drag.from !== drag.to) onEnd(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to));
    setDrag(undefined);
  });
  const giveUp = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") setDrag(undefined);
  });
  useEffect(() => {
    if (!isDragging) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("mouseup", end, { signal });
    window.addEventListener("keydown", giveUp, { signal });
    return () => controller.abort();
  }, [isDragging]);
  return {
    drawn: drag && { first: Math.min(drag.from, drag.to), last: Math.max(drag.from, drag.to) },
    begin: (index: number) => setDrag({ from: index, to: index }),
    reach: (index: number) => setDrag((before) => before && { ...before, to: index }),
  };
}
