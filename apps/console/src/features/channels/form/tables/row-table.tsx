import { ActionIcon, Button, Input } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./tables.module.css";

interface Identified {
  readonly id: number;
}

interface RowTableProps<Row extends Identified> {
  label: string;
  /** Only for assistive technology, where a heading names the table already. */
  hidesLabel?: boolean;
  /** Button that adds a row; "Add row" by default. */
  addLabel?: string;
  description?: string | undefined;
  error: ReactNode;
  heads: readonly string[];
  /** Heads of columns for a short number. */
  narrow?: readonly string[];
  /** Head of the column with the longest texts. */
  wide?: string;
  rows: readonly Row[];
  newRow(id: number): Row;
  setRows(rows: readonly Row[]): void;
  nameOf(row: Row): string;
  renderCells(row: Row, change: (patch: Partial<Row>) => void): readonly ReactNode[];
}

function TableHead({ heads, narrow = [], wide }: Pick<RowTableProps<Identified>, "heads" | "narrow" | "wide">) {
  const { t } = useTranslation("channel-form");
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col" data-width={narrow.includes(head) ? "narrow" : head === wide ? "wide" : undefined}>
            {head}
          </th>
        ))}
        <th className={classes.remove}>
          <span className="visually-hidden">{t("tables.remove")}</span>
        </th>
      </tr>
    </thead>
  );
}

function TableRow<Row extends Identified>({ row, table }: { row: Row; table: RowTableProps<Row> }) {
  const { t } = useTranslation("channel-form");
  const { heads, rows, setRows, nameOf, renderCells } = table;
  const change = (patch: Partial<Row>) =>
    setRows(rows.map((other) => (other.id === row.id ? { ...other, ...patch } : other)));
  return (
    <tr>
      {renderCells(row, change).map((cell, index) => (
        <td key={heads[index]} data-head={heads[index]}>
          {cell}
        </td>
      ))}
      <td className={classes.remove}>
        <ActionIcon
          variant="subtle"
          aria-label={t("tables.removeRow", { name: nameOf(row) || rows.indexOf(row) + 1 })}
          onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </td>
    </tr>
  );
}

export function RowTable<Row extends Identified>(table: RowTableProps<Row>) {
  const { t } = useTranslation("channel-form");
  const { label, hidesLabel = false, addLabel, description, error, heads, rows, newRow, setRows } = table;
  const add = () => setRows([...rows, newRow(Math.max(-1, ...rows.map(({ id }) => id)) + 1)]);
  return (
    <Input.Wrapper
      label={hidesLabel ? undefined : label}
      description={description}
      error={error}
      labelElement="div"
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      {rows.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.table} data-columns={heads.length} aria-label={label}>
            <TableHead {...table} />
            <tbody>
              {rows.map((row) => (
                <TableRow key={row.id} row={row} table={table} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Button
        className={classes.add ?? ""}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={add}
      >
        {addLabel ?? t("tables.add")}
      </Button>
    </Input.Wrapper>
  );
}
