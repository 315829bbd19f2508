import { ActionIcon } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { type RefObject, useMemo, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { fieldsOf } from "../../../lib/values/read-values.ts";
import { readStoredJson, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { MenuButton } from "../../floating/menu-button.tsx";
import { useColumnWidths } from "./column-resize.tsx";
import type { DataColumn } from "../data-column.ts";
import { setCompact, useIsCompact } from "../rows/row-height.ts";
import { useDroppedColumns } from "./dropped-columns.ts";

/** By the column's id: shown or hidden by the user. */
type Choices = Readonly<Record<string, boolean>>;

function readChoices(): Readonly<Record<string, Choices>> {
  const lists = Object.entries(fieldsOf(readStoredJson(STORAGE_KEY.columns)));
  const chosen = (columns: unknown) =>
    Object.fromEntries(Object.entries(fieldsOf(columns)).map(([id, isShown]) => [id, isShown === true]));
  return Object.fromEntries(lists.map(([id, columns]) => [id, chosen(columns)]));
}

export interface ColumnChoice<Row> {
  readonly shown: readonly DataColumn<Row>[];
  toggle(columnId: string): void;
  resize(columnId: string, px: number): void;
  readonly reset: (() => void) | undefined;
}

function withWidths<Row>(columns: readonly DataColumn<Row>[], ids: string, widths: Readonly<Record<string, number>>) {
  const shown = ids.split(",");
  return columns
    .filter(({ id }) => shown.includes(id))
    .map((column) =>
      widths[column.id] === undefined ? column : { ...column, width: widths[column.id], isResized: true },
    );
}

/** Shown columns of a list: the user's choice, stored in this browser, and as many others as fit. */
export function useColumnChoice<Row>(
  listId: string,
  columns: readonly DataColumn<Row>[],
  frame: RefObject<HTMLDivElement | null>,
): ColumnChoice<Row> {
  const [choices, setChoices] = useState(readChoices);
  const chosen = choices[listId] ?? {};
  const { widths, resize, reset: resetWidths } = useColumnWidths(listId);
  const wanted = columns.filter(({ id, startsHidden }) => chosen[id] ?? startsHidden !== true);
  const droppable = wanted
    .filter(({ id, priority = 1 }) => priority > 1 && chosen[id] === undefined)
    .toReversed()
    .toSorted((left, right) => (right.priority ?? 1) - (left.priority ?? 1));
  const idsOf = (some: readonly DataColumn<Row>[]) => some.map(({ id }) => id).join();
  const dropped = useDroppedColumns(frame, idsOf(droppable), idsOf(wanted));
  const shownIds = idsOf(wanted.filter(({ id }) => !dropped.includes(id)));
  const shown = useMemo(() => withWidths(columns, shownIds, widths), [columns, shownIds, widths]);
  const choose = (ofList: Choices) => {
    const next = { ...readChoices(), [listId]: ofList };
    writeStored(STORAGE_KEY.columns, JSON.stringify(next));
    setChoices(next);
  };
  const toggle = (columnId: string) => choose({ ...chosen, [columnId]: !shown.some(({ id }) => id === columnId) });
  const reset = () => {
    choose({});
    resetWidths?.();
  };
  const isChanged = Object.keys(chosen).length > 0 || resetWidths !== undefined;
  return { shown, toggle, resize, reset: isChanged ? reset : undefined };
}

interface ColumnPickerProps<Row> {
  columns: readonly DataColumn<Row>[];
  choice: ColumnChoice<Row>;
}

/** Menu that shows and hides columns, and sets the height of rows. Columns that name the row stay. */
export function ColumnPicker<Row>({ columns, choice }: ColumnPickerProps<Row>) {
  const { t } = useTranslation();
  const isCompact = useIsCompact();
  return (
    <MenuButton
      entries={[
        { id: "", label: t("columns") },
        ...columns
          .filter(({ card }) => card !== "title")
          .map(({ id, header }) => ({
            id,
            label: header,
            isOn: choice.shown.some((column) => column.id === id),
            onToggle: () => choice.toggle(id),
          })),
        ...(choice.reset === undefined ? [] : [{ id: "/reset", label: t("columnsReset"), onSelect: choice.reset }]),
        { id: "/compact", label: t("rowsCompact"), isOn: isCompact, onToggle: () => setCompact(!isCompact) },
      ]}
      renderButton={(props) => (
        <ActionIcon variant="default" size={32} aria-label={t("columns")} title={t("columns")} {...props}>
          <IconColumns3 size={16} />
        </ActionIcon>
      )}
    />
  );
}
