/** Form of an exported file. */
export interface FileLines<Row> {
  readonly contentType: string;
  readonly head: string;
  line(row: Row): string;
}

export type FileColumn<Row> = readonly [name: string, value: (row: Row) => string | number | boolean];

/** Marks the text as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = "\uFEFF";

/** CSV (RFC 4180), protected against formula injection. */
export function tableLines<Row>(columns: readonly FileColumn<Row>[]): FileLines<Row> {
  return {
    contentType: "text/csv; charset=utf-8",
    head: `${BYTE_ORDER_MARK}${columns.map(([name]) => name).join(",")}\r\n`,
    line: (row) => `${columns.map(([, value]) => toCell(value(row))).join(",")}\r\n`,
  };
}

/** One JSON line for each row, in the form of the API. */
export const jsonLines: FileLines<unknown> = {
  contentType: "application/x-ndjson; charset=utf-8",
  head: "",
  line: (row) => `${JSON.stringify(row)}\n`,
};

/** First characters of formulas, also full-width, and ignored characters before them (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

function toCell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
