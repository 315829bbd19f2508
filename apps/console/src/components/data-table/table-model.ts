import type { ReactNode } from "react";
import type { Sort } from "../../lib/list-search.ts";
import type { DataColumn } from "./data-column.ts";
import type { RowAction } from "./row-action.ts";

/** Which rows are chosen; keys are those of rowKey. */
export interface RowSelection {
  readonly selected: ReadonlySet<number | string>;
  onChange(selected: ReadonlySet<number | string>): void;
}

/** What table and cards need to show rows. */
export interface RowsView<Row> {
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  rowKey(row: Row): number | string;
  /** What a row is called in sentences, for example its name. */
  rowName(row: Row): string;
  rowActions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** Opens a row's details when the row is pressed. */
  onOpenRow?: ((row: Row) => void) | undefined;
  readonly sort?: Sort | undefined;
  onSort?: ((columnId: string) => void) | undefined;
  readonly selection?: RowSelection | undefined;
  /** Rows are old and new ones are on their way. */
  readonly isStale?: boolean | undefined;
  /** Stands in place of rows, over the full width. */
  readonly placeholder?: ReactNode;
}
