import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Sort } from "../../lib/list/list-search.ts";
import type { DataColumn, RowsView } from "./data-column.ts";
import { useIsCompact } from "./row-height.ts";
import { RowActions } from "./row-actions.tsx";
import { markScrolled, openRowProps, useFocusInList } from "./row-parts.tsx";
import { SelectAllBox, SelectRowBox } from "./row-selection.tsx";
import classes from "./table-view.module.css";

interface ColumnHeadProps<Row> {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort?: ((columnId: string) => void) | undefined;
}

/** The head of a column; pressing it sorts, a repeat reverses. */
function ColumnHead<Row>({ column, sort, onSort }: ColumnHeadProps<Row>) {
  const isSorted = sort?.columnId === column.id;
  const direction = sort?.descending === true ? "descending" : "ascending";
  const size = column.width === undefined ? {} : { style: { width: column.width, minWidth: column.width } };
  if (column.sortBy === undefined || onSort === undefined) {
    return (
      <th scope="col" data-column={column.id} data-align={column.align} title={column.hint} {...size}>
        <span className={classes.head}>{column.header}</span>
      </th>
    );
  }
  const SortIcon = !isSorted ? IconSelector : direction === "descending" ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-column={column.id}
      data-align={column.align}
      aria-sort={isSorted ? direction : "none"}
      title={column.hint}
      {...size}
    >
      <button type="button" className={classes.sort} data-sorted={isSorted} onClick={() => onSort(column.id)}>
        {column.header}
        <SortIcon size={14} aria-hidden="true" />
      </button>
    </th>
  );
}

function TableRow<Row>({ row, view }: { row: Row; view: RowsView<Row> }) {
  const { columns, rowKey, rowName, rowActions, onOpenRow, isSelectable = false } = view;
  return (
    <tr {...openRowProps(row, onOpenRow)} data-row={rowKey(row)}>
      {isSelectable && (
        <td className={classes.select}>
          <SelectRowBox rowId={rowKey(row)} name={rowName(row)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} data-fixed={column.width !== undefined}>
          {column.width === undefined ? column.cell(row) : <div className={classes.cut}>{column.cell(row)}</div>}
        </td>
      ))}
      {rowActions !== undefined && (
        <td className={classes.actions}>
          <RowActions actions={rowActions(row)} name={rowName(row)} />
        </td>
      )}
    </tr>
  );
}

/** Rows as a dense table with a sticky head. */
export function TableView<Row>(view: RowsView<Row>) {
  const { t } = useTranslation();
  const { label, rows, columns, rowKey, rowActions, sort, onSort, isStale } = view;
  const { placeholder, frame, isSelectable = false } = view;
  const focus = useFocusInList(rows, rowKey);
  const width = columns.length + (rowActions === undefined ? 0 : 1) + (isSelectable ? 1 : 0);
  return (
    <div
      ref={frame}
      {...focus}
      className={classes.frame}
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={(event) => markScrolled(event.currentTarget)}
    >
      <table className={classes.table} data-stale={isStale} data-compact={useIsCompact()} aria-busy={isStale}>
        <thead>
          <tr>
            {isSelectable && (
              <th className={classes.select}>
                <SelectAllBox keys={rows.map(rowKey)} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
            {rowActions !== undefined && (
              <th scope="col" className={classes.actions}>
                <span className="visually-hidden">{t("actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {placeholder !== undefined && (
            <tr>
              <td colSpan={width} className={classes.placeholder}>
                {placeholder}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} view={view} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
