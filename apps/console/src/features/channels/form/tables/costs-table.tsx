import { NumberInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { type CostRow, lacksModel, readCosts, writeCosts } from "./costs-text.ts";
import { RowTable } from "./row-table.tsx";
import { useTableRows } from "./use-table-rows.ts";

const TEXT = { read: readCosts, write: writeCosts };

const MOST_DECIMALS = 6;

interface CostsTableProps {
  label: string;
  description: string;
  error: ReactNode;
  value: string;
  onChange(text: string): void;
}

interface CostInputProps {
  label: string;
  prefix: string;
  value: number | string;
  isDisabled: boolean;
  onChange(value: number | string): void;
}

function CostInput({ label, prefix, value, isDisabled, onChange }: CostInputProps) {
  return (
    <NumberInput
      aria-label={label}
      hideControls
      prefix={prefix}
      min={0}
      decimalScale={MOST_DECIMALS}
      allowNegative={false}
      disabled={isDisabled}
      value={value}
      onChange={onChange}
    />
  );
}

/** Returns the error of a row's model. A missing one is an error once the form was refused. */
function useModelError() {
  const { t } = useTranslation("channel-form");
  return (row: CostRow, rows: readonly CostRow[], isRefused: boolean) => {
    const name = row.model.trim();
    if (name !== "" && rows.filter(({ model }) => model.trim() === name).length > 1) return t("tables.repeated");
    return isRefused && lacksModel(row) && t("tables.required");
  };
}

export function CostsTable({ value, onChange, ...field }: CostsTableProps) {
  const { t } = useTranslation("channel-form");
  const { rows, setRows } = useTableRows<CostRow>(TEXT, value, onChange);
  const modelError = useModelError();
  return (
    <RowTable
      {...field}
      heads={[t("tables.model"), t("tables.input"), t("tables.output"), t("tables.factor")]}
      narrow={[t("tables.input"), t("tables.output"), t("tables.factor")]}
      rows={rows}
      newRow={(id) => ({ id, model: "", input: "", output: "", factor: "" })}
      setRows={setRows}
      nameOf={({ model }) => model}
      renderCells={(row, change) => [
        <TextInput
          key="model"
          aria-label={t("tables.model")}
          spellCheck={false}
          value={row.model}
          error={modelError(row, rows, Boolean(field.error))}
          onChange={(event) => change({ model: event.currentTarget.value })}
        />,
        <CostInput
          key="input"
          label={t("tables.input")}
          prefix="$"
          value={row.input}
          isDisabled={row.factor !== ""}
          onChange={(input) => change({ input })}
        />,
        <CostInput
          key="output"
          label={t("tables.output")}
          prefix="$"
          value={row.output}
          isDisabled={row.factor !== ""}
          onChange={(output) => change({ output })}
        />,
        <CostInput
          key="factor"
          label={t("tables.factor")}
          prefix="×"
          value={row.factor}
          isDisabled={row.input !== "" || row.output !== ""}
          onChange={(factor) => change({ factor })}
        />,
      ]}
    />
  );
}
