import { ActionIcon, Button, Input } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./tables.module.css";

interface RowTableProps<Row> {
  label: string;
  description: string;
  error: ReactNode;
  heads: readonly string[];
  rows: readonly Row[];
  emptyRow: Row;
  setRows(rows: readonly Row[]): void;
  nameOf(row: Row): string;
  /** The cells' inputs, one for each head. */
  cells(row: Row, change: (patch: Partial<Row>) => void): readonly ReactNode[];
}

/** A table whose rows are added, changed and removed. */
export function RowTable<Row>(props: RowTableProps<Row>) {
  const { t } = useTranslation("channel-form");
  const { label, description, error, heads, rows, emptyRow, setRows, nameOf, cells } = props;
  const change = (index: number, patch: Partial<Row>) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      {rows.length > 0 && (
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th className={classes.remove}>
                <span className="visually-hidden">{t("tables.remove")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // Rows have no name of their own: their keys are being typed.
              <tr key={index}>
                {cells(row, (patch) => change(index, patch)).map((cell, at) => (
                  <td key={heads[at]}>{cell}</td>
                ))}
                <td className={classes.remove}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={t("tables.removeRow", { name: nameOf(row) || index + 1 })}
                    onClick={() => setRows(rows.filter((_, at) => at !== index))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        className={classes.add ?? ""}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => setRows([...rows, emptyRow])}
      >
        {t("tables.add")}
      </Button>
    </Input.Wrapper>
  );
}
