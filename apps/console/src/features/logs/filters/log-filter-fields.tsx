import { Select } from "@mantine/core";
import type { Log } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import { useIsAdmin } from "../../../lib/session.ts";
import { LOG_TYPES } from "../log-types.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { useLogTypeName } from "../use-log-type-name.ts";
import { FilterTextInput } from "./filter-text-input.tsx";

interface LogFilterFieldsProps {
  filter: LogFilterState;
  /** Loaded entries; what occurs in them is suggested. */
  rows: readonly Log[];
  /** One below the other with labels, or side by side. */
  isStacked: boolean;
}

function namesIn(rows: readonly Log[], nameOf: (log: Log) => string): string[] {
  return [...new Set(rows.map(nameOf))]
    .filter((name) => name !== "")
    .toSorted((left, right) => left.localeCompare(right));
}

/** The fields of all filters but the time. */
export function LogFilterFields({ filter: { filters, change }, rows, isStacked }: LogFilterFieldsProps) {
  const { t } = useTranslation("logs");
  const typeName = useLogTypeName();
  const isAdmin = useIsAdmin();
  const widthOf = (width: number) => (isStacked ? {} : { width });
  return (
    <>
      <Select
        {...(isStacked ? { label: t("filters.type") } : { "aria-label": t("filters.type"), w: 140 })}
        data={[0, ...LOG_TYPES.map(({ type }) => type)].map((type) => ({ value: String(type), label: typeName(type) }))}
        value={String(filters.type ?? 0)}
        onChange={(type) => change({ type: Number(type) || undefined })}
      />
      <FilterTextInput
        label={t("filters.token")}
        value={filters.token_name}
        onCommit={(name) => change({ token_name: name })}
        suggestions={namesIn(rows, (log) => log.token_name)}
        isLabelled={isStacked}
        {...widthOf(140)}
      />
      <FilterTextInput
        label={t("filters.model")}
        value={filters.model_name}
        onCommit={(name) => change({ model_name: name })}
        suggestions={namesIn(rows, (log) => log.model_name)}
        isLabelled={isStacked}
        {...widthOf(180)}
      />
      {isAdmin && (
        <>
          <FilterTextInput
            label={t("filters.channel")}
            value={filters.channel === undefined ? undefined : String(filters.channel)}
            onCommit={(id) => change({ channel: Number(id ?? 0) || undefined })}
            suggestions={namesIn(rows, (log) => (log.channel === 0 ? "" : String(log.channel)))}
            isNumber
            isLabelled={isStacked}
            {...widthOf(112)}
          />
          <FilterTextInput
            label={t("filters.username")}
            value={filters.username}
            onCommit={(name) => change({ username: name })}
            suggestions={namesIn(rows, (log) => log.username)}
            isLabelled={isStacked}
            {...widthOf(130)}
          />
        </>
      )}
    </>
  );
}
