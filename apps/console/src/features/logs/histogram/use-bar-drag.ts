import { useEffect, useEffectEvent, useState } from "react";

interface Drag {
  readonly from: number;
  readonly to: number;
}

/**
 * Selects bars by dragging: call `begin` on the pressed bar and `reach` on entered ones. `onEnd` receives first and
 * last bar on release over another bar. Escape cancels. Returns the selected bars.
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
