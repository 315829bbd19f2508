import { Autocomplete, CloseButton, Select } from "@mantine/core";
import type { Log } from "@one-api/contract/log";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsAdmin } from "../../../lib/session.ts";
import { LOG_TYPES, useLogTypeName } from "../log-types.tsx";
import type { LogFilterState } from "../use-log-filters.ts";

interface FilterTextInputProps {
  label: string;
  value: string | undefined;
  /** Called when the typing is done: on Enter, on leaving the field, on a choice. Undefined when it is empty. */
  onCommit(value: string | undefined): void;
  /** Values that occur, to choose from. */
  suggestions: readonly string[];
  /** Takes digits only. */
  isNumber?: boolean;
  /** Shows the label above instead of within. */
  isLabelled: boolean;
  width?: number;
}

/** A filter by an exact text. It waits for the end of typing: half a name fits nothing. */
function FilterTextInput({
  label,
  value = "",
  onCommit,
  suggestions,
  isNumber = false,
  isLabelled,
  width,
}: FilterTextInputProps) {
  const { t } = useTranslation("logs");
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = (next: string) => {
    const trimmed = next.trim();
    setText(trimmed);
    if (trimmed !== value) onCommit(trimmed === "" ? undefined : trimmed);
  };
  return (
    <Autocomplete
      {...(isLabelled ? { label } : { "aria-label": label, placeholder: label })}
      {...(width === undefined ? {} : { w: width })}
      {...(isNumber ? { inputMode: "numeric" as const } : { maxLength: 128 })}
      title={t("filters.exact")}
      value={text}
      data={[...suggestions]}
      limit={8}
      onChange={(typed) => setText(isNumber ? typed.replace(/\D/g, "").slice(0, 9) : typed)}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit(text);
      }}
      rightSection={
        text === "" ? null : (
          <CloseButton size="sm" aria-label={t("filters.clearOne", { label })} onClick={() => commit("")} />
        )
      }
    />
  );
}

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
