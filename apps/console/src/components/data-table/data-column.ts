import type { ReactNode, RefObject } from "react";
import type { Sort } from "../../lib/list/list-search.ts";
import type { RowAction } from "./rows/row-action.ts";

/** One column; the same definition makes the cards of narrow screens. */
export interface DataColumn<Row> {
  readonly id: string;
  readonly header: string;
  cell(row: Row): ReactNode;
  /** True where the row has nothing to say here: cards leave it out. */
  isEmpty?(row: Row): boolean;
  readonly isSortable?: boolean;
  readonly align?: "left" | "right" | undefined;
  /** Fixed width in px; longer texts are cut with an ellipsis. */
  readonly width?: number | undefined;
  /** Least width in px of a column that takes the room the others leave; longer texts are cut with an ellipsis. */
  readonly growsFrom?: number | undefined;
  /** The user's width wins over the cell's. */
  readonly isResized?: boolean | undefined;
  readonly hint?: string | undefined;
  /** 1 (default) stays; where the table does not fit, the highest goes first. The column menu brings them back. */
  readonly priority?: 1 | 2 | 3 | 4 | undefined;
  readonly startsHidden?: boolean | undefined;
  /** Place on a card: `badge` stands right of the title, a `third` takes a third of a line, `plain` is `wide` without its label. Default: `field`. */
  readonly card?: "title" | "badge" | "field" | "third" | "wide" | "plain" | "none" | undefined;
}

export interface RowSelection {
  readonly selected: ReadonlySet<number | string>;
  onChange(selected: ReadonlySet<number | string>): void;
}

/** Rows in groups: those of one key stand together, under a row of their own. */
export interface RowGroups<Row> {
  keyOf(row: Row): string;
  title(key: string): ReactNode;
  readonly sums: readonly string[];
  sum(key: string, columnId: string): ReactNode;
}

export interface RowsView<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly DataColumn<Row>[];
  rowKey(row: Row): number | string;
  rowName(row: Row): string;
  rowActions?: ((row: Row) => readonly RowAction[]) | undefined;
  readonly groups?: RowGroups<Row> | undefined;
  onOpenRow?: ((row: Row) => void) | undefined;
  readonly openKey?: number | string | undefined;
  readonly sort?: Sort | undefined;
  onSort?: ((columnId: string) => void) | undefined;
  onResize?: ((columnId: string, px: number) => void) | undefined;
  readonly isSelectable?: boolean;
  readonly isStale?: boolean | undefined;
  readonly frame?: RefObject<HTMLDivElement | null> | undefined;
  readonly placeholder?: ReactNode;
}
