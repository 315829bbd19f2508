import { type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { markScrolled } from "../rows/row-parts.tsx";

/**
 * Returns the columns to hide so that `neededPx` become free. `ids`: least important first. A more important column
 * stays where hiding the others frees enough.
 */
export function columnsToDrop(
  ids: readonly string[],
  widths: ReadonlyMap<string, number>,
  neededPx: number,
): readonly string[] {
  const widthOf = (id: string) => widths.get(id) ?? 0;
  const dropped: string[] = [];
  let free = 0;
  for (const id of ids) {
    if (free >= neededPx) break;
    dropped.push(id);
    free += widthOf(id);
  }
  const kept = new Set<string>();
  for (const id of dropped.toReversed()) {
    if (free - widthOf(id) < neededPx) continue;
    kept.add(id);
    free -= widthOf(id);
  }
  return dropped.filter((id) => !kept.has(id));
}

/** In a table that overflows, every column has its least width. It depends on the neighbours: only the largest ends the search. */
function noteWidths(table: Element, widths: Map<string, number>): void {
  for (const head of table.querySelectorAll<HTMLElement>("th[data-column]")) {
    const id = head.dataset["column"] ?? "";
    widths.set(id, Math.max(head.offsetWidth, widths.get(id) ?? 0));
  }
}

const isShown = (table: Element, id: string) => table.querySelector(`th[data-column="${CSS.escape(id)}"]`) !== null;

/** Marks the frame once the first rows have their final columns; before that they would move visibly. */
function markFitted(frame: HTMLElement, ids: readonly string[], excessPx: number): void {
  if (frame.dataset["fitted"] === "true" || frame.querySelector("[data-row]") === null) return;
  frame.dataset["fitted"] = String(excessPx <= 1 || !ids.some((id) => isShown(frame, id)));
}

/** Returns the columns that do not fit into the frame. The ids are separated by commas, the least important first. */
export function useDroppedColumns(
  frame: RefObject<HTMLDivElement | null>,
  droppableIds: string,
  columnIds: string,
): readonly string[] {
  // The table comes a little later than the list around it, and only then there is something to measure.
  const asCards = useDeferredValue(useCardScreen());
  const [dropped, setDropped] = useState({ columnIds, ids: "" });
  const widest = useRef(0);
  const widths = useRef(new Map<string, number>());
  useEffect(() => {
    const element = frame.current;
    const table = element?.firstElementChild;
    widths.current.clear();
    if (asCards || element === null || !table) return undefined;
    // Both change their size before a paint: the frame with the window, the table with its columns and rows.
    const observer = new ResizeObserver(() => {
      markScrolled(element);
      const excess = element.scrollWidth - element.clientWidth;
      const droppable = droppableIds.split(",");
      markFitted(element, droppable, excess);
      const isWider = element.offsetWidth > widest.current;
      widest.current = element.offsetWidth;
      if (isWider) widths.current.clear();
      if (excess > 1) noteWidths(table, widths.current);
      const hidden = droppable.filter((id) => !isShown(table, id));
      const hiddenPx = hidden.reduce((sum, id) => sum + (widths.current.get(id) ?? 0), 0);
      const next = excess > 1 ? columnsToDrop(droppable, widths.current, excess + hiddenPx).join() : undefined;
      setDropped((before) => {
        const ids = next ?? (isWider || before.columnIds !== columnIds ? "" : before.ids);
        return ids === before.ids && before.columnIds === columnIds ? before : { columnIds, ids };
      });
    });
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame, droppableIds, columnIds, asCards]);
  return dropped.columnIds === columnIds && dropped.ids !== "" ? dropped.ids.split(",") : [];
}
