import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useMemo } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Sort } from "../../lib/list/list-search.ts";
import { useSteady } from "../../lib/use-steady.ts";
import type { DataColumn, RowsView } from "./data-column.ts";
import { resizeByKey, ResizeEdge } from "./controls/column-resize.tsx";
import { useIsCompact } from "./rows/row-height.ts";
import { RowActions } from "./rows/row-actions.tsx";
import { firstOfGroups, markScrolled, openRowProps, useFocusInList, useRowsInSteps } from "./rows/row-parts.tsx";
import { SelectAllBox, SelectRowBox } from "./rows/row-selection.tsx";
import classes from "./table-view.module.css";

interface ColumnHeadProps<Row> {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort?: ((columnId: string) => void) | undefined;
  onResize?: ((columnId: string, px: number) => void) | undefined;
}

/** The title column stays visible while the table scrolls. */
const isPinned = <Row,>({ card }: DataColumn<Row>) => card === "title";

const grows = <Row,>({ width, growsFrom }: DataColumn<Row>) => width === undefined && growsFrom !== undefined;

interface SortButtonProps {
  header: string;
  direction: "ascending" | "descending" | undefined;
  onSort(): void;
  onResize: ((px: number) => void) | undefined;
}

function SortButton({ header, direction, onSort, onResize }: SortButtonProps) {
  const { t } = useTranslation();
  const SortIcon = direction === undefined ? IconSelector : direction === "descending" ? IconArrowDown : IconArrowUp;
  return (
    <button
      type="button"
      className={classes.sort}
      data-sorted={direction !== undefined}
      onClick={onSort}
      {...(onResize === undefined
        ? {}
        : {
            title: t("columnWidth"),
            "aria-keyshortcuts": "Shift+ArrowLeft Shift+ArrowRight",
            onKeyDown: (event) => resizeByKey(event, onResize),
          })}
    >
      {header}
      <SortIcon size={14} aria-hidden="true" />
    </button>
  );
}

function ColumnHead<Row>({ column, sort, onSort, onResize }: ColumnHeadProps<Row>) {
  const { id, header, align, hint, width } = column;
  const least = width ?? column.growsFrom;
  const direction = sort?.columnId !== id ? undefined : sort.descending ? "descending" : "ascending";
  const isSortable = column.isSortable === true && onSort !== undefined;
  const resize =
    isSortable && isPinned(column) && onResize !== undefined ? (px: number) => onResize(id, px) : undefined;
  return (
    <th
      scope="col"
      data-column={id}
      data-align={align}
      data-pinned={isPinned(column)}
      title={hint}
      {...(isSortable ? { "aria-sort": direction ?? "none" } : {})}
      data-grows={grows(column)}
      {...(least === undefined ? {} : { style: { width, minWidth: least } })}
    >
      {isSortable ? (
        <SortButton header={header} direction={direction} onSort={() => onSort(id)} onResize={resize} />
      ) : (
        <span className={classes.head}>{header}</span>
      )}
      {resize !== undefined && <ResizeEdge onResize={resize} />}
    </th>
  );
}

interface TableRowProps<Row> extends Pick<RowsView<Row>, "columns" | "rowActions" | "onOpenRow"> {
  row: Row;
  id: number | string;
  name: string;
  isOpen: boolean;
  isSelectable: boolean;
}

/** By column and row. Columns that no longer fit take nothing but their own cells away. */
const madeCells = new WeakMap<object, WeakMap<object, ReactNode>>();

/** Returns the content of a cell, made once: React renders the same element no second time. */
function cellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  if (typeof row !== "object" || row === null) return column.cell(row);
  const ofColumn = madeCells.get(column) ?? new WeakMap<object, ReactNode>();
  if (!ofColumn.has(row)) ofColumn.set(row, column.cell(row));
  madeCells.set(column, ofColumn);
  return ofColumn.get(row);
}

function TableRow<Row>({ row, id, name, isOpen, isSelectable, columns, rowActions, onOpenRow }: TableRowProps<Row>) {
  return (
    <tr {...openRowProps(row, onOpenRow)} data-row={id} tabIndex={-1} {...(isOpen && { "aria-current": true })}>
      {isSelectable && (
        <td className={classes.select}>
          <SelectRowBox rowId={id} name={name} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-align={column.align}
          data-pinned={isPinned(column)}
          data-fixed={column.width !== undefined || grows(column)}
          data-resized={column.isResized}
        >
          {column.width === undefined && !grows(column) ? (
            cellOf(column, row)
          ) : (
            <div className={classes.cut}>{cellOf(column, row)}</div>
          )}
        </td>
      ))}
      {rowActions !== undefined && (
        <td className={classes.actions}>
          <RowActions actions={rowActions(row)} name={name} />
        </td>
      )}
    </tr>
  );
}

function PlaceholderRow({ width, children }: { width: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={width} className={classes.placeholder}>
        {children}
      </td>
    </tr>
  );
}

function GroupRow<Row>({ groupKey, view }: { groupKey: string; view: RowsView<Row> }) {
  const { columns, groups, rowActions, isSelectable = false } = view;
  if (groups === undefined) return null;
  const firstSum = columns.findIndex(({ id }) => groups.sums.includes(id));
  const actionColumns = rowActions === undefined ? 0 : 1;
  const named = firstSum === -1 ? columns.length : firstSum;
  const namedColumns = named + (isSelectable ? 1 : 0) + (firstSum === -1 ? actionColumns : 0);
  return (
    <tr className={classes.group}>
      <th scope="rowgroup" colSpan={namedColumns}>
        {groups.title(groupKey)}
      </th>
      {columns.slice(named).map(({ id, align }, index, { length }) => (
        <td key={id} data-align={align} colSpan={index === length - 1 ? 1 + actionColumns : 1}>
          {groups.sums.includes(id) && groups.sum(groupKey, id)}
        </td>
      ))}
    </tr>
  );
}

/** A row that is rendered again only when it, its columns or its actions change. */
function KeptRow<Row>({ row, id, name, isOpen, isSelectable, columns, rowActions, onOpenRow }: TableRowProps<Row>) {
  return useMemo(
    () => <TableRow {...{ row, id, name, isOpen, isSelectable, columns, rowActions, onOpenRow }} />,
    [row, id, name, isOpen, isSelectable, columns, rowActions, onOpenRow],
  );
}

function TableRows<Row>({ view }: { view: RowsView<Row> }) {
  const { rows, rowKey, rowName, groups, openKey, columns, rowActions, isSelectable = false } = view;
  const open = useSteady((row: Row) => view.onOpenRow?.(row));
  const onOpenRow = view.onOpenRow === undefined ? undefined : open;
  const standing = useRowsInSteps(rows);
  const groupStarts = firstOfGroups(rows, groups);
  return standing.map((row) => {
    const [group, id] = [groupStarts.get(row), rowKey(row)];
    return (
      <Fragment key={id}>
        {group !== undefined && <GroupRow groupKey={group} view={view} />}
        <KeptRow
          {...{ row, id, isSelectable, columns, rowActions, onOpenRow }}
          name={rowName(row)}
          isOpen={openKey !== undefined && id === openKey}
        />
      </Fragment>
    );
  });
}

export function TableView<Row>(view: RowsView<Row>) {
  const { t } = useTranslation();
  const { label, rows, columns, rowKey, rowActions, sort, onSort, onResize, isStale } = view;
  const { placeholder, frame, openKey, isSelectable = false } = view;
  useEffect(() => {
    if (openKey !== undefined) frame?.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [frame, openKey]);
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
              <ColumnHead key={column.id} column={column} sort={sort} onSort={onSort} onResize={onResize} />
            ))}
            {rowActions !== undefined && (
              <th scope="col" className={classes.actions}>
                <span className="visually-hidden">{t("actions")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {placeholder !== undefined && <PlaceholderRow width={width}>{placeholder}</PlaceholderRow>}
          <TableRows view={view} />
        </tbody>
      </table>
    </div>
  );
}
