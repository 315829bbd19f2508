import { type PointerEvent, useEffect, useEffectEvent, useState } from "react";
import type { ChartCursor } from "./chart-cursor.ts";

interface Drag {
  readonly from: number;
  readonly to: number;
}

export interface SelectedIntervals {
  readonly first: number;
  readonly last: number;
}

function selectedBy(drag: Drag | undefined): SelectedIntervals | undefined {
  if (drag === undefined || drag.from === drag.to) return undefined;
  return { first: Math.min(drag.from, drag.to), last: Math.max(drag.from, drag.to) };
}

interface PlotDragOptions {
  count: number;
  cursor: ChartCursor;
  onSelect?: ((selected: SelectedIntervals) => void) | undefined;
  onDrag?: ((selected: SelectedIntervals | undefined) => void) | undefined;
}

function indexAt({ currentTarget, clientX }: PointerEvent, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const place = width === 0 ? 0 : Math.floor(((clientX - left) / width) * count);
  return Math.max(0, Math.min(count - 1, place));
}

/** Returns the handlers of a plot: a pointer moves the cursor, and a mouse drag selects intervals. Escape cancels. */
export function usePlotDrag({ count, cursor, onSelect, onDrag }: PlotDragOptions) {
  const [drag, setDrag] = useState<Drag>();
  const isDragging = drag !== undefined;
  const selected = selectedBy(drag);
  const dragTo = (next: Drag | undefined) => {
    setDrag(next);
    onDrag?.(selectedBy(next));
  };
  const end = useEffectEvent(() => {
    dragTo(undefined);
    if (selected !== undefined) onSelect?.(selected);
  });
  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") dragTo(undefined);
  });
  useEffect(() => {
    if (!isDragging) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("keydown", cancel, { signal });
    return () => controller.abort();
  }, [isDragging]);
  return {
    selected,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const index = indexAt(event, count);
        cursor.set(index);
        if (onSelect === undefined || event.pointerType !== "mouse" || event.button !== 0) return;
        dragTo({ from: index, to: index });
      },
      onPointerMove: (event: PointerEvent) => {
        const index = indexAt(event, count);
        cursor.set(index);
        if (drag !== undefined) dragTo({ ...drag, to: index });
      },
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType === "mouse") cursor.set(undefined);
      },
    },
  };
}
