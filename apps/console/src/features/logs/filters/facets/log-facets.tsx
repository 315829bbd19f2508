import { useIsIdle } from "../../../../lib/loading/when-idle.ts";
import { useIsAdmin } from "../../../../lib/state/session.ts";
import { useLogFacet } from "../../log-queries.ts";
import type { LogFilterState } from "../../use-log-filters.ts";
import { ResultFacet, TypeFacet } from "./choice-facets.tsx";
import { NameFacet, type NameField } from "./name-facet.tsx";

const NAMES: readonly NameField[] = [
  { field: "token_name", label: "token", change: (values) => ({ token_name: values }), textOf: String },
  { field: "model_name", label: "model", change: (values) => ({ model_name: values }), textOf: String },
];

const NAMES_FOR_ADMINS: readonly NameField[] = [
  {
    field: "channel",
    label: "channel",
    change: (values) => ({ channel: values.map(Number) }),
    textOf: (id) => `#${id}`,
  },
  { field: "username", label: "username", change: (values) => ({ username: values }), textOf: String },
];

const ALIAS: NameField = {
  field: "alias",
  label: "alias",
  change: (values) => ({ alias: values }),
  textOf: String,
};

/** The filter by alias, where entries have one. */
function AliasFacet({ filter }: { filter: LogFilterState }) {
  const { data = [] } = useLogFacet("alias", "", {}, useIsIdle());
  if (data.length === 0 && filter.filters.alias === undefined) return null;
  return <NameFacet name={ALIAS} filter={filter} />;
}

interface LogFacetsProps {
  filter: LogFilterState;
  /** Beside the list there is room for the values that are asked for most. */
  isBeside: boolean;
}

export function LogFacets({ filter, isBeside }: LogFacetsProps) {
  const isAdmin = useIsAdmin();
  return (
    <div>
      <TypeFacet filter={filter} />
      <ResultFacet filter={filter} startsOpen={isBeside} />
      {[...NAMES, ...(isAdmin ? NAMES_FOR_ADMINS : [])].map((name) => (
        <NameFacet key={name.field} name={name} filter={filter} startsOpen={isBeside && name.field === "model_name"} />
      ))}
      <AliasFacet filter={filter} />
    </div>
  );
}
