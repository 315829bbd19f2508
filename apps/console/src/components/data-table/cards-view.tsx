import { Button } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { Fragment } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Sort } from "../../lib/list/list-search.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { Facts } from "../boxes/facts.tsx";
import { MenuButton } from "../floating/menu-button.tsx";
import classes from "./cards-view.module.css";
import type { DataColumn, RowsView } from "./data-column.ts";
import { ActionSheet } from "./rows/row-actions.tsx";
import { firstOfGroups, openRowProps, useFocusInList } from "./rows/row-parts.tsx";
import { SelectRowBox } from "./rows/row-selection.tsx";

interface CardSortProps<Row> {
  columns: readonly DataColumn<Row>[];
  sort: Sort | undefined;
  onSort(columnId: string): void;
}

/** Cards have no heads to press: this menu sorts them. */
export function CardSort<Row>({ columns, sort, onSort }: CardSortProps<Row>) {
  const { t } = useTranslation();
  const asCards = useCardScreen();
  const sortable = columns.filter((column) => column.isSortable === true);
  if (!asCards || sortable.length === 0) return null;
  const arrow = sort?.descending === true ? <IconArrowDown size={16} /> : <IconArrowUp size={16} />;
  return (
    <MenuButton
      entries={sortable.map(({ id, header }) => ({
        id,
        label: header,
        mark: id === sort?.columnId ? arrow : null,
        onSelect: () => onSort(id),
      }))}
      renderButton={(props) => (
        <Button variant="default" className={classes.sort} leftSection={<IconArrowsSort size={16} />} {...props}>
          <span className={classes.sortName}>
            {columns.find((column) => column.id === sort?.columnId)?.header ?? t("sort")}
          </span>
        </Button>
      )}
    />
  );
}

function columnsAt<Row>(columns: readonly DataColumn<Row>[], place: DataColumn<Row>["card"]): DataColumn<Row>[] {
  return columns.filter((column) => (column.card ?? "field") === place);
}

function RowCard<Row>({ row, view }: { row: Row; view: RowsView<Row> }) {
  const { columns, rowKey, rowName, rowActions, onOpenRow, isSelectable = false } = view;
  const name = rowName(row);
  return (
    <li className={classes.card} {...openRowProps(row, onOpenRow)} data-row={rowKey(row)} tabIndex={-1}>
      <div className={classes.top}>
        {isSelectable && <SelectRowBox rowId={rowKey(row)} name={name} />}
        <div className={classes.title}>
          {columnsAt(columns, "title").map((column) => (
            <div key={column.id}>{column.cell(row)}</div>
          ))}
        </div>
        {columnsAt(columns, "badge").map((column) => (
          <div key={column.id} className={classes.badge}>
            {column.cell(row)}
          </div>
        ))}
        {rowActions !== undefined && <ActionSheet actions={rowActions(row)} title={name} />}
      </div>
      {columnsAt(columns, "plain")
        .filter((column) => column.isEmpty?.(row) !== true)
        .map((column) => (
          <div key={column.id} className={classes.plain}>
            {column.cell(row)}
          </div>
        ))}
      <div className={classes.fields}>
        <Facts
          facts={[...columnsAt(columns, "field"), ...columnsAt(columns, "third"), ...columnsAt(columns, "wide")].map(
            (column) =>
              column.isEmpty?.(row) !== true && {
                label: column.header,
                value: column.cell(row),
                isWide: column.card === "wide",
                isThird: column.card === "third",
                isNumber: column.align === "right",
              },
          )}
        />
      </div>
    </li>
  );
}

export function CardsView<Row>(view: RowsView<Row>) {
  const focus = useFocusInList(view.rows, view.rowKey);
  const groupStarts = firstOfGroups(view.rows, view.groups);
  return (
    <>
      {view.placeholder !== undefined && <div className={classes.placeholder}>{view.placeholder}</div>}
      <ul
        {...focus}
        className={classes.cards}
        aria-label={view.label}
        aria-busy={view.isStale}
        data-stale={view.isStale}
      >
        {view.rows.map((row) => {
          const group = groupStarts.get(row);
          return (
            <Fragment key={view.rowKey(row)}>
              {group !== undefined && <li className={classes.group}>{view.groups?.title(group)}</li>}
              <RowCard row={row} view={view} />
            </Fragment>
          );
        })}
      </ul>
    </>
  );
}
