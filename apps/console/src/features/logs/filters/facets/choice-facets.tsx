import type { LogFacetValue } from "@one-api/contract/logs/log-totals";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useLogFacet } from "../../log-queries.ts";
import { RESULTS } from "../../log-search.ts";
import { LOG_TYPES, useLogTypeName } from "../../log-types.tsx";
import type { LogFilterState } from "../../use-log-filters.ts";
import { Facet } from "./facet.tsx";
import { FacetValues, NoValues } from "./facet-values.tsx";

/** Returns the number of a value's entries: 0 for values that no entry has, undefined until all are counted. */
function countsOf(found: readonly LogFacetValue[] | undefined) {
  const counts = new Map(found?.map(({ value, entries }) => [value, entries]));
  return (value: string) => (found === undefined ? undefined : (counts.get(value) ?? 0));
}

interface ChoiceProps {
  label: string;
  filter: LogFilterState;
}

function TypeValues({ label, filter: { filters, change } }: ChoiceProps) {
  const typeName = useLogTypeName();
  const count = countsOf(useLogFacet("type", "", filters).data);
  return (
    <FacetValues
      label={label}
      values={LOG_TYPES.map(({ type }) => {
        return { value: String(type), label: typeName(type), entries: count(String(type)) };
      })}
      chosen={(filters.type ?? []).map(String)}
      onChoose={(types) => change({ type: types.map(Number) })}
    />
  );
}

export function TypeFacet({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const typeName = useLogTypeName();
  const { type } = filter.filters;
  const label = t("filters.type");
  return (
    <Facet label={label} chosen={type?.map(typeName)}>
      <TypeValues label={label} filter={filter} />
    </Facet>
  );
}

function ResultValues({ label, filter: { filters, change } }: ChoiceProps) {
  const { t } = useTranslation("logs");
  const { data } = useLogFacet("result", "", filters);
  const count = countsOf(data);
  const errors = data?.filter(({ value }) => value !== "ok").reduce((sum, { entries }) => sum + entries, 0);
  const values = RESULTS.map((value) => {
    return { value, label: t(`results.${value}`), entries: value === "errors" ? errors : count(value) };
  }).filter(({ value, entries }) => entries !== 0 || filters.result?.includes(value) === true);
  if (values.length === 0) return <NoValues />;
  return (
    <FacetValues
      label={label}
      values={values}
      chosen={filters.result ?? []}
      onChoose={(chosen) => change({ result: RESULTS.filter((value) => chosen.includes(value)) })}
    />
  );
}

interface ResultFacetProps {
  filter: LogFilterState;
  startsOpen: boolean;
}

export function ResultFacet({ filter, startsOpen }: ResultFacetProps) {
  const { t } = useTranslation("logs");
  const { result } = filter.filters;
  const label = t("filters.result");
  return (
    <Facet label={label} startsOpen={startsOpen} chosen={result?.map((one) => t(`results.${one}`))}>
      <ResultValues label={label} filter={filter} />
    </Facet>
  );
}
