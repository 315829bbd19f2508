import { Skeleton, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { FILTER_LIMITS } from "@one-api/contract/constants";
import type { LogFacet, LogFacetValue } from "@one-api/contract/logs/log-totals";
import { useState } from "react";
import { useErrorText } from "../../../../lib/api/error-text.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useLogFacet } from "../../log-queries.ts";
import type { LogFilters } from "../../log-search.ts";
import type { LogFilterState } from "../../use-log-filters.ts";
import { Facet } from "./facet.tsx";
import { FacetValues, NoValues } from "./facet-values.tsx";
import classes from "./facets.module.css";

const SEARCH_PAUSE_MS = 200;

export interface NameField {
  readonly field: Extract<LogFacet, "token_name" | "model_name" | "alias" | "username" | "channel">;
  readonly label: "token" | "model" | "alias" | "username" | "channel";
  change(values: readonly string[]): LogFilters;
  textOf(value: string): string;
}

interface NameFacetProps {
  name: NameField;
  filter: LogFilterState;
  startsOpen?: boolean;
}

/** The value that a typed text means: the text itself; for channels an id, or that of the first name that contains it. */
function meantValue(field: NameField["field"], typed: string, found: readonly LogFacetValue[]): string | undefined {
  if (field !== "channel" || /^[1-9]\d{0,14}$/.test(typed)) return typed;
  return found.find(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))?.value;
}

/** Chosen values stay in the list also if no entry has them. */
function withChosen(found: readonly LogFacetValue[], chosen: readonly string[], labelOf: (value: string) => string) {
  const missing = chosen.filter((one) => !found.some(({ value }) => value === one));
  return [...missing.map((value) => ({ value, label: labelOf(value) })), ...found];
}

function useNameSearch({ name: { field, change }, filter }: NameFacetProps) {
  const [text, setText] = useState("");
  const [missing, setMissing] = useState("");
  const typed = text.trim();
  const [keyword] = useDebouncedValue(typed, SEARCH_PAUSE_MS);
  const { data: found = [], error, isPending } = useLogFacet(field, keyword, filter.filters);
  const type = (next: string) => {
    setText(next);
    setMissing("");
  };
  const chosen = (filter.filters[field] ?? []).map(String);
  const choose = (values: readonly string[]) => {
    type("");
    filter.change(change(values));
  };
  const commit = () => {
    if (typed === "") return;
    const value = meantValue(field, typed, found);
    if (value === undefined) setMissing(typed);
    else choose([...chosen.filter((one) => one !== value), value]);
  };
  return { text, typed, missing, found, error, isPending, chosen, type, choose, commit };
}

function NameValues({ name, filter }: NameFacetProps) {
  const { t } = useTranslation("logs");
  const search = useNameSearch({ name, filter });
  const { text, typed, missing, found, error, isPending, chosen, type, choose, commit } = search;
  const isId = name.field === "channel";
  const label = t(`filters.${name.label}`);
  const errorText = useErrorText(error);
  const values = typed === "" ? withChosen(found, chosen, name.textOf) : found;
  const isExact = !isId && typed !== "" && !found.some(({ value }) => value === typed);
  return (
    <>
      <TextInput
        size="xs"
        aria-label={label}
        placeholder={t(isId ? "filters.idOrName" : "filters.exact")}
        error={missing !== "" && t("filters.noChannel", { text: missing })}
        maxLength={FILTER_LIMITS.nameLength}
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter") commit();
        }}
      />
      {isExact && (
        <UnstyledButton className={classes.more ?? ""} onClick={commit}>
          {t("filters.useExact", { text: typed })}
        </UnstyledButton>
      )}
      {isPending && <Skeleton height={56} mt="xs" />}
      {errorText !== "" && <p className={classes.note}>{errorText}</p>}
      {!isPending && error === null && values.length === 0 && <NoValues />}
      <FacetValues label={label} values={values} chosen={chosen} onChoose={choose} />
    </>
  );
}

/** A filter by names: the most frequent values, and a box that finds others and takes an exact one. */
export function NameFacet({ name, filter, startsOpen = false }: NameFacetProps) {
  const { t } = useTranslation("logs");
  return (
    <Facet
      label={t(`filters.${name.label}`)}
      startsOpen={startsOpen}
      chosen={filter.filters[name.field]?.map((value) => name.textOf(String(value)))}
    >
      <NameValues name={name} filter={filter} />
    </Facet>
  );
}
