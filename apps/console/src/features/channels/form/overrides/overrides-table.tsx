import { NativeSelect, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { RowTable } from "../tables/row-table.tsx";
import { useTableRows } from "../tables/use-table-rows.ts";
import { lacksName, type OverrideRow, readOverrides, writeOverrides } from "./overrides-text.ts";

const TEXT = { read: readOverrides, write: writeOverrides };

interface ChoiceProps<Value extends string> {
  label: string;
  texts: Readonly<Record<Value, string>>;
  value: Value;
  onChange(value: Value): void;
}

function Choice<Value extends string>({ label, texts, value, onChange }: ChoiceProps<Value>) {
  const values = Object.keys(texts).filter((name): name is Value => name in texts);
  return (
    <NativeSelect
      aria-label={label}
      data={values.map((name) => ({ value: name, label: texts[name] }))}
      value={value}
      onChange={({ currentTarget }) => onChange(values.find((name) => name === currentTarget.value) ?? value)}
    />
  );
}

function sampleOf({ action, where }: OverrideRow): string {
  if (action === "remove") return "";
  return where === "header" ? "my-app/1.0" : "low";
}

interface OverridesTableProps {
  label: string;
  description: string;
  error: ReactNode;
  value: string;
  onChange(text: string): void;
}

function isSame(row: OverrideRow, other: OverrideRow): boolean {
  return row.where === other.where && row.name.trim() !== "" && row.name.trim() === other.name.trim();
}

/** Rows of the table, and the error of a row's name. A missing one is an error once the form was refused. */
function useOverrideRows(value: string, onChange: (text: string) => void, isRefused: boolean) {
  const { t } = useTranslation("channel-form");
  const { rows, setRows } = useTableRows<OverrideRow>(TEXT, value, onChange);
  const nameError = (row: OverrideRow) => {
    if (rows.some((other) => other.id !== row.id && isSame(row, other))) return t("tables.repeated");
    return isRefused && lacksName(row) && t("tables.required");
  };
  return { rows, setRows, nameError };
}

export function OverridesTable({ value, onChange, ...field }: OverridesTableProps) {
  const { t } = useTranslation("channel-form");
  const { rows, setRows, nameError } = useOverrideRows(value, onChange, Boolean(field.error));
  const actions = { set: t("overrides.set"), default: t("overrides.default"), remove: t("overrides.remove") };
  const places = { header: t("overrides.header"), body: t("overrides.field") };
  return (
    <RowTable
      {...field}
      heads={[t("overrides.where"), t("overrides.action"), t("overrides.name"), t("overrides.value")]}
      rows={rows}
      newRow={(id): OverrideRow => ({ id, where: "body", action: "set", name: "", value: "" })}
      setRows={setRows}
      nameOf={({ name }) => name}
      renderCells={(row, change) => [
        <Choice
          key="where"
          label={t("overrides.where")}
          texts={places}
          value={row.where}
          onChange={(where) => change({ where })}
        />,
        <Choice
          key="action"
          label={t("overrides.action")}
          texts={actions}
          value={row.action}
          onChange={(action) => change({ action })}
        />,
        <TextInput
          key="name"
          aria-label={t("overrides.name")}
          placeholder={row.where === "header" ? "User-Agent" : "reasoning.effort"}
          spellCheck={false}
          value={row.name}
          error={nameError(row)}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />,
        <TextInput
          key="value"
          aria-label={t("overrides.value")}
          placeholder={sampleOf(row)}
          spellCheck={false}
          disabled={row.action === "remove"}
          value={row.action === "remove" ? "" : row.value}
          onChange={(event) => change({ value: event.currentTarget.value })}
        />,
      ]}
    />
  );
}
