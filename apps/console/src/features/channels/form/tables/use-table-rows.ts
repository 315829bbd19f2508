import { useState } from "react";

interface TableText<Row> {
  read(text: string): Row[] | undefined;
  write(rows: readonly Row[]): string;
}

/** Rows of a table that is kept as a text. Rows that the text cannot hold, such as empty ones, last while it is edited here. */
export function useTableRows<Row>(
  { read, write }: TableText<Row>,
  text: string,
  onChange: (text: string) => void,
): { rows: readonly Row[]; setRows(rows: readonly Row[]): void } {
  const [state, setState] = useState<{ text: string; rows: readonly Row[] }>({ text, rows: read(text) ?? [] });
  if (state.text !== text) setState({ text, rows: read(text) ?? [] });
  return {
    rows: state.rows,
    setRows: (rows) => {
      const next = write(rows);
      setState({ text: next, rows });
      onChange(next);
    },
  };
}
