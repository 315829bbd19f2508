/** Row of another program's database. All values are text, so that rows of all databases are equal. Flags are 0, 1, t or f. */
export type ForeignRow = Readonly<Record<string, string | null>>;

/** Database of another program, read in one snapshot and never written. */
export interface ForeignDatabase {
  tables(): Promise<readonly string[]>;
  columnsOf(table: string): Promise<readonly string[]>;
  countRows(table: string): Promise<number>;
  /** All rows of an existing table in the order of a column. */
  rowsOf(table: string, order: string): Promise<readonly ForeignRow[]>;
  /** Rows of an existing table page by page, in the order of a unique integer column. */
  pagesOf(table: string, page: PageRequest): AsyncIterable<readonly ForeignRow[]>;
  /** Last rows of an existing table with a value in a column; the last row first. */
  lastOf(table: string, page: PageRequest, only: ColumnValue): Promise<readonly ForeignRow[]>;
  close(): Promise<void>;
}

export interface PageRequest {
  readonly key: string;
  readonly columns: readonly string[];
  readonly size: number;
}

export interface ColumnValue {
  readonly column: string;
  readonly value: number;
}
