import type { ReactNode } from "react";
import { ScrollBox } from "../boxes/scroll-box.tsx";
import classes from "./plain-table.module.css";

interface Column {
  readonly label: string;
  readonly isNumber?: boolean;
}

interface PlainTableProps {
  label: string;
  columns: readonly Column[];
  /** A cell for each column; the first one names the row. */
  rows: readonly { readonly key: string | number; readonly cells: readonly ReactNode[] }[];
}

export function PlainTable({ label, columns, rows }: PlainTableProps) {
  const cellOf = (cell: ReactNode, index: number) => {
    const column = columns[index];
    if (column === undefined) return null;
    if (index === 0)
      return (
        <th key={column.label} scope="row">
          {cell}
        </th>
      );
    const looks = column.isNumber === true ? { "data-align": "right", className: "numbers" } : {};
    return (
      <td key={column.label} {...looks}>
        {cell}
      </td>
    );
  };
  return (
    <ScrollBox label={label} className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" data-align={column.isNumber === true ? "right" : undefined}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>{cells.map(cellOf)}</tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
