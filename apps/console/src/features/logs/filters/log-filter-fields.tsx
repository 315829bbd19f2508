import { Autocomplete, CloseButton, Select } from "@mantine/core";
import { FILTER_LIMITS } from "@one-api/contract/constants";
import { useDebouncedValue } from "@mantine/hooks";
import type { Log } from "@one-api/contract/logs/log";
import { useState } from "react";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { type SuggestedField, useLogSuggestions, useResultCounts } from "../log-queries.ts";
import { LOG_TYPES, useLogTypeName } from "../log-types.tsx";
import { type LogFilters, RESULTS } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./log-filter-bar.module.css";

const SUGGEST_PAUSE_MS = 200;
const MAX_CHOICES = 12;

/** Hints stand below their fields. */
const BELOW: ("label" | "input" | "error" | "description")[] = ["label", "input", "error", "description"];

/** How much of its width a field keeps. */
const NARROWEST = 0.8;

interface FilterTextInputProps {
  label: string;
  field: SuggestedField;
  value: string | undefined;
  /** Called when the typing is done: on Enter, on leaving the field, on a choice. Undefined when it is empty. */
  onCommit(value: string | undefined): void;
  /** Values in the rows on screen, for servers without suggestions. */
  occurring: readonly string[];
  /** The filter is by an id: a name that is typed finds it. */
  isId?: boolean;
  /** Shows the label above instead of within. */
  isLabelled: boolean;
  width?: number;
}

interface FilterChoice {
  readonly value: string;
  readonly label: string;
  /** Entries that have the value; undefined where the server does not count them. */
  readonly entries?: number | undefined;
}

/** Suggestions of the server, without any what occurs in the list; the most frequent ones first while nothing is typed. */
function choicesOf(
  suggested: readonly FilterChoice[],
  isUntyped: boolean,
  occurring: readonly string[],
): readonly FilterChoice[] {
  const known: readonly FilterChoice[] =
    suggested.length > 0 ? suggested : occurring.map((name) => ({ value: name, label: name }));
  return isUntyped ? known.toSorted((left, right) => (right.entries ?? 0) - (left.entries ?? 0)) : known;
}

/** A value, and at the right how often it occurs. */
function Choice({ choice }: { choice: FilterChoice | undefined }) {
  const { t, language } = useTranslation("logs");
  if (choice === undefined) return null;
  return (
    <span className={classes.choice}>
      <span>{choice.label}</span>
      {choice.entries !== undefined && (
        <span className={classes.count} title={t("filters.counted")}>
          {formatInteger(choice.entries, language)}
        </span>
      )}
    </span>
  );
}

type TypedFilterParts = Pick<FilterTextInputProps, "field" | "value" | "onCommit" | "isId">;

function useTypedFilter({ field, value = "", onCommit, isId = false }: TypedFilterParts) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [isUsed, setUsed] = useState(false);
  const [unknown, setUnknown] = useState("");
  const [keyword] = useDebouncedValue(text.trim(), SUGGEST_PAUSE_MS);
  const suggested = useLogSuggestions(field, keyword === value ? "" : keyword, isUsed);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = (next: string) => {
    const typed = next.trim();
    const isName = isId && typed !== "" && !/^[1-9]\d{0,14}$/.test(typed);
    // Suggestions may belong to an earlier text.
    const fitting = suggested.find((choice) => choice.label.toLowerCase().includes(typed.toLowerCase()));
    const chosen = isName ? fitting?.value : typed;
    setUnknown(chosen === undefined ? typed : "");
    if (chosen === undefined) return;
    setText(chosen);
    if (chosen !== value) onCommit(chosen === "" ? undefined : chosen);
  };
  const type = (typed: string) => {
    setText(typed);
    setUnknown("");
  };
  return { text, type, commit, unknown, suggested, isUntyped: keyword === value, setUsed };
}

/** A filter by an exact text. It waits for the end of typing: half a name fits nothing, and the server suggests whole ones. */
function FilterTextInput(props: FilterTextInputProps) {
  const { label, occurring, isId = false, isLabelled, width } = props;
  const { t } = useTranslation("logs");
  const { text, type, commit, unknown, suggested, isUntyped, setUsed } = useTypedFilter(props);
  const hint = t(isId ? "filters.idOrName" : "filters.exact");
  const choices = choicesOf(suggested, isUntyped, occurring);
  return (
    <Autocomplete
      {...(isLabelled
        ? { label, description: hint, inputWrapperOrder: BELOW }
        : { "aria-label": label, placeholder: label })}
      error={unknown !== "" && t("filters.noChannel", { text: unknown })}
      {...(isLabelled ? {} : { classNames: { root: classes.text, error: classes.error } })}
      // In a narrow bar the text fields shrink.
      {...(width === undefined ? {} : { flex: `1 1 ${Math.round(width * NARROWEST)}px`, maw: width })}
      maxLength={FILTER_LIMITS.nameLength}
      title={hint}
      value={text}
      data={choices.map((choice) => choice.value)}
      renderOption={({ option }) => <Choice choice={choices.find((choice) => choice.value === option.value)} />}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      // The server has searched already, also in fields other than the value.
      {...(suggested.length > 0 || isUntyped ? { filter: ({ options }) => options } : {})}
      limit={MAX_CHOICES}
      onFocus={() => setUsed(true)}
      onChange={type}
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

type FilterChanges = Pick<LogFilterState, "filters" | "change">;

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

interface TextFilter {
  readonly field: SuggestedField;
  readonly label: "token" | "model" | "channel" | "username";
  readonly widthPx: number;
  /** Value of an entry; empty for none. */
  nameOf(log: Log): string;
  change(text: string | undefined): LogFilters;
}

const filtersForAll: readonly TextFilter[] = [
  {
    field: "token_name",
    label: "token",
    widthPx: 112,
    nameOf: (log) => log.token_name,
    change: (text) => ({ token_name: text }),
  },
  {
    field: "model_name",
    label: "model",
    widthPx: 140,
    nameOf: (log) => log.model_name,
    change: (text) => ({ model_name: text }),
  },
];

const filtersForAdmins: readonly TextFilter[] = [
  {
    field: "channel",
    label: "channel",
    widthPx: 96,
    nameOf: (log) => (log.channel === 0 ? "" : String(log.channel)),
    change: (text) => ({ channel: Number(text ?? 0) || undefined }),
  },
  {
    field: "username",
    label: "username",
    widthPx: 108,
    nameOf: (log) => log.username,
    change: (text) => ({ username: text }),
  },
];

/** The filter by how requests ended, each way with how often it occurs beside the other filters. */
function ResultSelect({ filters, change, isStacked }: Omit<LogFilterFieldsProps, "filter" | "rows"> & FilterChanges) {
  const { t } = useTranslation("logs");
  const [isUsed, setUsed] = useState(false);
  const counts = useResultCounts(filters, isUsed);
  const choices: readonly FilterChoice[] = [
    { value: "", label: t("results.all") },
    ...RESULTS.map((value) => {
      return { value, label: t(`results.${value}`), entries: counts.get(value) };
    }),
  ];
  return (
    <Select
      {...(isStacked ? { label: t("filters.result") } : { "aria-label": t("filters.result"), w: 136 })}
      data={choices.map(({ value, label }) => ({ value, label }))}
      renderOption={({ option }) => <Choice choice={choices.find(({ value }) => value === option.value)} />}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      value={filters.result ?? ""}
      onDropdownOpen={() => setUsed(true)}
      onChange={(chosen) => change({ result: RESULTS.find((value) => value === chosen) })}
    />
  );
}

export function LogFilterFields({ filter: { filters, change }, rows, isStacked }: LogFilterFieldsProps) {
  const { t } = useTranslation("logs");
  const typeName = useLogTypeName();
  const isAdmin = useIsAdmin();
  return (
    <>
      <Select
        {...(isStacked ? { label: t("filters.type") } : { "aria-label": t("filters.type"), w: 136 })}
        data={[0, ...LOG_TYPES.map(({ type }) => type)].map((type) => ({ value: String(type), label: typeName(type) }))}
        value={String(filters.type ?? 0)}
        onChange={(type) => change({ type: Number(type) || undefined })}
      />
      <ResultSelect filters={filters} change={change} isStacked={isStacked} />
      {[...filtersForAll, ...(isAdmin ? filtersForAdmins : [])].map((text) => (
        <FilterTextInput
          key={text.field}
          label={t(`filters.${text.label}`)}
          field={text.field}
          value={filters[text.field]?.toString()}
          onCommit={(typed) => change(text.change(typed))}
          occurring={namesIn(rows, text.nameOf)}
          isId={text.field === "channel"}
          isLabelled={isStacked}
          {...(isStacked ? {} : { width: text.widthPx })}
        />
      ))}
    </>
  );
}
