import type { ReactNode } from "react";
import type { SortValue } from "../../lib/compare-cells.ts";

/** One column; the same definition makes the cards of narrow screens. */
export interface DataColumn<Row> {
  readonly id: string;
  /** Head of the column and label on the card. */
  readonly header: string;
  cell(row: Row): ReactNode;
  /** What the column is sorted by; columns without it cannot be sorted. */
  sortBy?(row: Row): SortValue;
  /** Numbers stand right. */
  readonly align?: "left" | "right" | undefined;
  /** Fixed width in px; longer texts are cut with an ellipsis. */
  readonly width?: number | undefined;
  /** Explains the column on hover. */
  readonly hint?: string | undefined;
  /** Place on a card: its title, right of the title, a labelled field (default), over the full width, or not at all. */
  readonly card?: "title" | "badge" | "field" | "wide" | "none" | undefined;
}
