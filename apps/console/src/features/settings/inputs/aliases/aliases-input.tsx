import { NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { TextLink } from "../../../../components/text-link.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { allModelsQuery } from "../../../channels/channel-queries.ts";
import { JsonOrTable } from "../../../channels/form/tables/json-or-table.tsx";
import { RowTable } from "../../../channels/form/tables/row-table.tsx";
import { useTableRows } from "../../../channels/form/tables/use-table-rows.ts";
import { type AliasRow, comparableAliases, isRepeated, missingIn, readAliases, writeAliases } from "./aliases-text.ts";
import { ConditionsButton } from "./conditions-button.tsx";
import classes from "./aliases-input.module.css";

interface AliasesInputProps {
  label: string;
  description: string | undefined;
  placeholder: string;
  error: string | false;
  value: string;
  onChange(value: string): void;
}

const TEXT = { read: readAliases, write: writeAliases };

function ModelNames({ id: listId }: { id: string }) {
  const { data: models = [] } = useQuery(allModelsQuery);
  return (
    <datalist id={listId}>
      {models.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </datalist>
  );
}

function useCells(rows: readonly AliasRow[], isRefused: boolean) {
  const { t } = useTranslation("channel-form");
  const listId = useId();
  const required = (isMissing: boolean) => isRefused && isMissing && t("tables.required");
  const cellsOf = (row: AliasRow, change: (patch: Partial<AliasRow>) => void) => [
    <TextInput
      key="alias"
      aria-label={t("aliases.alias")}
      spellCheck={false}
      value={row.alias}
      error={required(missingIn(row).alias)}
      onChange={(event) => change({ alias: event.currentTarget.value })}
    />,
    <TextInput
      key="model"
      aria-label={t("aliases.model")}
      list={listId}
      spellCheck={false}
      value={row.model}
      error={isRepeated(row, rows) ? t("tables.repeated") : required(missingIn(row).model)}
      onChange={(event) => change({ model: event.currentTarget.value })}
    />,
    <NumberInput
      key="weight"
      aria-label={t("aliases.weight")}
      placeholder={t("aliases.inOrder")}
      hideControls
      min={0}
      max={1_000}
      allowDecimal={false}
      value={row.weight}
      onChange={(weight) => change({ weight })}
    />,
    <ConditionsButton key="conditions" row={row} onChange={change} />,
  ];
  return { listId, cellsOf };
}

function AliasesTable({ value, onChange, ...field }: Omit<AliasesInputProps, "placeholder">) {
  const { t } = useTranslation("channel-form");
  const { rows, setRows } = useTableRows<AliasRow>(TEXT, value, onChange);
  const { listId, cellsOf } = useCells(rows, Boolean(field.error));
  return (
    <>
      <ModelNames id={listId} />
      <RowTable
        {...field}
        heads={[t("aliases.alias"), t("aliases.model"), t("aliases.weight"), t("aliases.conditions")]}
        narrow={[t("aliases.weight")]}
        wide={t("aliases.model")}
        rows={rows}
        newRow={(id) => ({
          id,
          alias: rows.at(-1)?.alias ?? "",
          model: "",
          weight: "",
          when: {},
          firstTokenMs: undefined,
        })}
        setRows={setRows}
        nameOf={({ alias, model }) => [alias, model].filter(Boolean).join(", ")}
        renderCells={cellsOf}
      />
    </>
  );
}

function CompareLinks({ value }: { value: string }) {
  const { t } = useTranslation("channel-form");
  const names = comparableAliases(value);
  if (names.length === 0) return null;
  return (
    <p className={classes.compare}>
      {t("aliases.compare")}
      {names.map((alias) => (
        <TextLink key={alias} to="/dashboard" search={{ alias }} inherit>
          {alias}
        </TextLink>
      ))}
    </p>
  );
}

export default function AliasesInput({ placeholder, ...field }: AliasesInputProps) {
  return (
    <div>
      <JsonOrTable
        label={field.label}
        views={["table", "json"]}
        fitsTable={readAliases(field.value) !== undefined}
        table={<AliasesTable {...field} />}
        json={<JsonEditor {...field} placeholder={placeholder} />}
      />
      <CompareLinks value={field.value} />
    </div>
  );
}
