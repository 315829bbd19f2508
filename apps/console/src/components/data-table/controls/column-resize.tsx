import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { fieldsOf, integerOf } from "../../../lib/values/read-values.ts";
import { readStoredJson, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import classes from "../table-view.module.css";

const LEAST_PX = 96;
const MOST_PX = 640;
const STEP_PX = 16;

type Widths = Readonly<Record<string, number>>;

const NO_WIDTHS: Widths = {};

function readWidths(): Readonly<Record<string, Widths>> {
  const lists = Object.entries(fieldsOf(readStoredJson(STORAGE_KEY.columnWidths)));
  const widthsOf = (columns: unknown) =>
    Object.entries(fieldsOf(columns)).flatMap(([id, stored]) => {
      const px = integerOf(stored, { least: LEAST_PX, most: MOST_PX });
      return px === undefined ? [] : [[id, px] as const];
    });
  return Object.fromEntries(lists.map(([id, columns]) => [id, Object.fromEntries(widthsOf(columns))]));
}

export function useColumnWidths(listId: string) {
  const [all, setAll] = useState(readWidths);
  const widths = all[listId] ?? NO_WIDTHS;
  const keep = (ofList: Widths) => {
    const next = { ...readWidths(), [listId]: ofList };
    writeStored(STORAGE_KEY.columnWidths, JSON.stringify(next));
    setAll(next);
  };
  return {
    widths,
    resize: (columnId: string, px: number) => keep({ ...widths, [columnId]: bounded(px) }),
    reset: Object.keys(widths).length === 0 ? undefined : () => keep({}),
  };
}

const bounded = (px: number) => Math.round(Math.max(LEAST_PX, Math.min(px, MOST_PX)));

const STEPS = new Map([
  ["ArrowLeft", -STEP_PX],
  ["ArrowRight", STEP_PX],
]);

/** Makes the column of the head that has the focus wider and narrower with shift and the arrow keys. */
export function resizeByKey(event: KeyboardEvent<HTMLElement>, onResize: (px: number) => void): void {
  const step = event.shiftKey ? STEPS.get(event.key) : undefined;
  const head = event.currentTarget.closest("th");
  if (step === undefined || head === null) return;
  event.preventDefault();
  onResize(head.offsetWidth + step);
}

/** The edge of a column's head: dragging it makes the column wider or narrower. The keyboard does that at the head's button. */
export function ResizeEdge({ onResize }: { onResize(px: number): void }) {
  const drag = useRef<{ readonly head: HTMLElement; readonly toPx: (event: PointerEvent) => number }>(undefined);
  const begin = (event: PointerEvent<HTMLElement>) => {
    const head = event.currentTarget.closest("th");
    if (head === null || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const offset = head.offsetWidth - event.clientX;
    drag.current = { head, toPx: ({ clientX }) => bounded(clientX + offset) };
  };
  const follow = (event: PointerEvent<HTMLElement>) => {
    if (drag.current === undefined) return;
    const { head, toPx } = drag.current;
    // The rows follow when the edge is let go: a hundred of them at each move would lag behind.
    head.style.width = head.style.minWidth = `${toPx(event)}px`;
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    if (drag.current !== undefined) onResize(drag.current.toPx(event));
    drag.current = undefined;
  };
  return (
    <span
      className={classes.edge}
      aria-hidden="true"
      onPointerDown={begin}
      onPointerMove={follow}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
