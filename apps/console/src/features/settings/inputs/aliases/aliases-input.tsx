import { ActionIcon, NumberInput, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { TextLink } from "../../../../components/text-link.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { allModelsQuery } from "../../../channels/channel-queries.ts";
import { JsonOrTable } from "../../../channels/form/tables/json-or-table.tsx";
import { RowTable } from "../../../channels/form/tables/row-table.tsx";
import { useTableRows } from "../../../channels/form/tables/use-table-rows.ts";
import {
  addToAlias,
  type AliasRow,
  comparableAliases,
  isFollower,
  isRepeated,
  missingIn,
  readAliases,
  renameAlias,
  writeAliases,
} from "./aliases-text.ts";
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

interface AliasCellProps {
  row: AliasRow;
  rows: readonly AliasRow[];
  setRows(rows: readonly AliasRow[]): void;
  error: string | false;
}

/** The name of an alias beside its first model; the others have a word that joins them to it. */
function AliasCell({ row, rows, setRows, error }: AliasCellProps) {
  const { t } = useTranslation("channel-form");
  if (isFollower(row, rows)) {
    const isWeighted = rows.some(({ alias, weight }) => alias === row.alias && weight !== "");
    return (
      <span className={classes.follower} data-joins>
        <span className="visually-hidden">{row.alias}</span>
        {t(isWeighted ? "aliases.or" : "aliases.next")}
      </span>
    );
  }
  const addLabel = t("aliases.addModel", { alias: row.alias });
  return (
    <TextInput
      aria-label={t("aliases.alias")}
      spellCheck={false}
      value={row.alias}
      error={error}
      onChange={(event) => setRows(renameAlias(rows, row, event.currentTarget.value))}
      rightSection={
        row.alias.trim() !== "" && (
          <ActionIcon
            variant="subtle"
            aria-label={addLabel}
            title={addLabel}
            onClick={() => setRows(addToAlias(rows, row))}
          >
            <IconPlus size={16} />
          </ActionIcon>
        )
      }
    />
  );
}

function useCells(rows: readonly AliasRow[], setRows: (rows: readonly AliasRow[]) => void, isRefused: boolean) {
  const { t } = useTranslation("channel-form");
  const listId = useId();
  const required = (isMissing: boolean) => isRefused && isMissing && t("tables.required");
  const cellsOf = (row: AliasRow, change: (patch: Partial<AliasRow>) => void) => [
    <AliasCell key="alias" {...{ row, rows, setRows }} error={required(missingIn(row).alias)} />,
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
  const { listId, cellsOf } = useCells(rows, setRows, Boolean(field.error));
  return (
    <>
      <ModelNames id={listId} />
      <RowTable
        {...field}
        heads={[t("aliases.alias"), t("aliases.model"), t("aliases.weight"), t("aliases.conditions")]}
        narrow={[t("aliases.weight")]}
        wide={t("aliases.model")}
        rows={rows}
        addLabel={t("aliases.add")}
        newRow={(id) => ({ id, alias: "", model: "", weight: "", when: {}, firstTokenMs: undefined })}
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
