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

/** Notes at the frame whether it is scrolled, and to its right end: shadows say where there is more. */
export function markScrolled(frame: HTMLElement): void {
  frame.dataset["moved"] = String(frame.scrollLeft > 0);
  frame.dataset["scrolled"] = String(frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 1);
}

/**
 * Keeps the keyboard in the list when the row that has the focus goes away: the list itself takes it then.
 * Returns what the list's element must carry.
 */
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

/** Keys of groups by their first rows. */
export function firstOfGroups<Row>(rows: readonly Row[], groups: RowGroups<Row> | undefined): ReadonlyMap<Row, string> {
  if (groups === undefined) return new Map();
  const keys = rows.map((row) => groups.keyOf(row));
  return new Map(rows.flatMap((row, index) => (keys[index] === keys[index - 1] ? [] : [[row, keys[index] ?? ""]])));
}

/** More rows than a screen has room for. */
const ROWS_PER_STEP = 30;

/** The rows that stand: those of the first screen at once, the others of a long page in steps after them, so that no step holds up the browser. */
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
