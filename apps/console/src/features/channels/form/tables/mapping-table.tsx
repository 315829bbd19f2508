import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { type MappingRow, readMapping, writeMapping } from "./mapping-text.ts";
import { RowTable } from "./row-table.tsx";
import { useTableRows } from "./use-table-rows.ts";

const TEXT = { read: readMapping, write: writeMapping };

interface MappingTableProps {
  label: string;
  description: string;
  error: ReactNode;
  value: string;
  onChange(text: string): void;
}

export function MappingTable({ value, onChange, ...field }: MappingTableProps) {
  const { t } = useTranslation("channel-form");
  const { rows, setRows } = useTableRows<MappingRow>(TEXT, value, onChange);
  const isRepeated = ({ requested }: MappingRow) =>
    requested !== "" && rows.filter((row) => row.requested.trim() === requested.trim()).length > 1;
  const isMissing = (own: string, other: string) =>
    Boolean(field.error) && own.trim() === "" && other.trim() !== "" && t("tables.required");
  return (
    <RowTable
      {...field}
      heads={[t("tables.requested"), t("tables.upstream")]}
      rows={rows}
      newRow={(id) => ({ id, requested: "", upstream: "" })}
      setRows={setRows}
      nameOf={({ requested }) => requested}
      renderCells={(row, change) => [
        <TextInput
          key="requested"
          aria-label={t("tables.requested")}
          spellCheck={false}
          value={row.requested}
          error={isRepeated(row) ? t("tables.repeated") : isMissing(row.requested, row.upstream)}
          onChange={(event) => change({ requested: event.currentTarget.value })}
        />,
        <TextInput
          key="upstream"
          aria-label={t("tables.upstream")}
          spellCheck={false}
          value={row.upstream}
          error={isMissing(row.upstream, row.requested)}
          onChange={(event) => change({ upstream: event.currentTarget.value })}
        />,
      ]}
    />
  );
}
