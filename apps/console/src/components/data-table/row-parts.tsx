import { Checkbox } from "@mantine/core";
import { type FocusEvent, type MouseEvent, useEffect, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { RowSelection } from "./data-column.ts";

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

type RowId = number | string;

/** Chooses or leaves all rows that are shown. */
export function SelectAllBox({ keys, selection }: { keys: readonly RowId[]; selection: RowSelection }) {
  const { t } = useTranslation();
  const count = keys.filter((key) => selection.selected.has(key)).length;
  const all = keys.length > 0 && count === keys.length;
  return (
    <Checkbox
      size="xs"
      aria-label={t("selectAll")}
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={() => {
        const rest = [...selection.selected].filter((key) => !keys.includes(key));
        selection.onChange(new Set(all ? rest : [...rest, ...keys]));
      }}
    />
  );
}

/** Chooses or leaves one row. */
export function SelectRowBox({ rowId, name, selection }: { rowId: RowId; name: string; selection: RowSelection }) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="xs"
      aria-label={t("selectRow", { name })}
      checked={selection.selected.has(rowId)}
      onChange={(event) => {
        const next = new Set(selection.selected);
        if (event.currentTarget.checked) next.add(rowId);
        else next.delete(rowId);
        selection.onChange(next);
      }}
    />
  );
}

/** Notes at the frame whether it is scrolled to its right end; until then a shadow says that there is more. */
export function markScrolled(frame: HTMLElement): void {
  frame.dataset["scrolled"] = String(frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 1);
}

/**
 * Keeps the keyboard in the list when the row that has the focus goes away: the list itself takes it then.
 * Returns what the list's element must carry.
 */
export function useFocusInList<Row>(rows: readonly Row[], rowKey: (row: Row) => RowId) {
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
