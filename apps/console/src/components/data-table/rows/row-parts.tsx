import { type FocusEvent, type MouseEvent, startTransition, useEffect, useRef, useState } from "react";
import type { RowGroups } from "../data-column.ts";

/** Props of a row that opens when it is pressed anywhere but on something of its own. */
export function openRowProps<Row>(row: Row, onOpenRow: ((row: Row) => void) | undefined) {
  if (onOpenRow === undefined) return {};
  return {
    "data-opens": true,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target = event.target;
      const isOwnControl =
        target instanceof Element && target.closest("a, button, input, select, textarea, label") !== null;
      // Marking text in a row is no press.
      const isSelecting = (window.getSelection()?.toString() ?? "") !== "";
      if (!isOwnControl && !isSelecting && event.currentTarget.contains(target instanceof Node ? target : null))
        onOpenRow(row);
    },
  };
}

/** Marks the frame while it is scrolled, and at its right end, for shadows. */
export function markScrolled(frame: HTMLElement): void {
  frame.dataset["moved"] = String(frame.scrollLeft > 0);
  frame.dataset["scrolled"] = String(frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 1);
}

/** Moves the focus to the list when the focused row disappears. Returns the props of the list's element. */
export function useFocusInList<Row>(rows: readonly Row[], rowKey: (row: Row) => number | string) {
  const list = useRef<HTMLElement>(null);
  const focusedRow = useRef<string>(undefined);
  const keys = rows.map(rowKey).join();
  useEffect(() => {
    const isGone = focusedRow.current !== undefined && !keys.split(",").includes(focusedRow.current);
    if (!isGone) return;
    focusedRow.current = undefined;
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [keys]);
  const noteRow = ({ target }: FocusEvent<HTMLElement>) => {
    focusedRow.current = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
    list.current = target.closest<HTMLElement>("[data-rows]");
  };
  return { "data-rows": true, tabIndex: -1, onFocus: noteRow } as const;
}

export function firstOfGroups<Row>(rows: readonly Row[], groups: RowGroups<Row> | undefined): ReadonlyMap<Row, string> {
  if (groups === undefined) return new Map();
  const keys = rows.map((row) => groups.keyOf(row));
  return new Map(rows.flatMap((row, index) => (keys[index] === keys[index - 1] ? [] : [[row, keys[index] ?? ""]])));
}

const ROWS_PER_STEP = 30;

/** Renders the rows of the first screen at once and the others in steps, so that no step blocks the browser. */
export function useRowsInSteps<Row>(rows: readonly Row[]): readonly Row[] {
  const [count, setCount] = useState(ROWS_PER_STEP);
  const isWhole = count >= rows.length;
  useEffect(() => {
    if (isWhole) return undefined;
    const timer = setTimeout(() => startTransition(() => setCount(count + ROWS_PER_STEP)));
    return () => clearTimeout(timer);
  }, [isWhole, count]);
  return isWhole ? rows : rows.slice(0, count);
}
