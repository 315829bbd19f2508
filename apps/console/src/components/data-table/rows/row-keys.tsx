import { useShortcuts } from "../../../lib/keyboard/use-shortcuts.ts";
import type { RowsView } from "../data-column.ts";
import { useRunAction } from "./row-action.ts";
import { useRowSelection } from "./row-selection.tsx";

const LIST = "[data-rows]";
const ROW = "[data-row]";

function listElement(): Element | undefined {
  const lists = [...document.querySelectorAll(LIST)];
  return document.activeElement?.closest(LIST) ?? (lists.length === 1 ? lists[0] : undefined);
}

const focusedRow = () => document.activeElement?.closest<HTMLElement>(ROW) ?? undefined;

function openByName(row: HTMLElement): void {
  row.querySelector<HTMLElement>('[data-pinned="true"] :is(a, button)')?.click();
}

/** Moves the focus to the next or the previous row, or to the first one. Returns false at the end of the list. */
function focusRow(by: 1 | -1): boolean {
  const rows = [...(listElement()?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const focused = focusedRow();
  const target = focused === undefined ? rows[0] : rows[rows.indexOf(focused) + by];
  target?.focus();
  return target !== undefined;
}

/** Arrows scroll the page unless the focus is in the list. */
const walk = (by: 1 | -1) => document.activeElement?.closest(LIST) !== null && focusRow(by);

type KeyedView<Row> = Pick<RowsView<Row>, "rows" | "rowKey" | "rowActions" | "onOpenRow" | "isSelectable">;

export function RowKeys<Row>({ view }: { view: KeyedView<Row> }) {
  const { rows, rowKey, rowActions, onOpenRow, isSelectable = false } = view;
  const { selected, chooseRow } = useRowSelection();
  const run = useRunAction();
  const rowOf = (element: HTMLElement | undefined) =>
    rows.find((row) => String(rowKey(row)) === element?.dataset["row"]);

  const open = () => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || !element.matches(ROW)) return false;
    const row = rowOf(element);
    if (row !== undefined && onOpenRow !== undefined) onOpenRow(row);
    else openByName(element);
    return true;
  };
  const edit = () => {
    const row = rowOf(focusedRow());
    const action = row && rowActions?.(row).find(({ id }) => id === "edit");
    if (action !== undefined) run(action);
    return action !== undefined;
  };
  const select = (isRange: boolean) => {
    const row = rowOf(focusedRow());
    if (!isSelectable || row === undefined) return false;
    chooseRow(rowKey(row), isRange || !selected.has(rowKey(row)), isRange);
    return true;
  };
  /** The first step chooses the row that it leaves too; a step back over chosen rows leaves them. */
  const selectTo = (by: 1 | -1) => {
    const from = rowOf(focusedRow());
    if (!isSelectable || from === undefined || !walk(by)) return false;
    const to = rowOf(focusedRow());
    if (to === undefined) return false;
    const isBack = selected.has(rowKey(from)) && selected.has(rowKey(to));
    chooseRow(rowKey(from), !isBack, false);
    if (!isBack) chooseRow(rowKey(to), true, true);
    return true;
  };
  useShortcuts({
    j: () => focusRow(1),
    k: () => focusRow(-1),
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    "Shift+ArrowDown": () => selectTo(1),
    "Shift+ArrowUp": () => selectTo(-1),
    Enter: open,
    e: edit,
    x: () => select(false),
    "Shift+x": () => select(true),
  });
  return null;
}
