import { useIsAdmin } from "../../../../lib/state/session.ts";
import type { LogFilterState } from "../../use-log-filters.ts";
import { ResultFacet, TypeFacet } from "./choice-facets.tsx";
import { NameFacet, type NameField } from "./name-facet.tsx";

const NAMES: readonly NameField[] = [
  { field: "token_name", label: "token", change: (value) => ({ token_name: value }) },
  { field: "model_name", label: "model", change: (value) => ({ model_name: value }) },
];

const NAMES_FOR_ADMINS: readonly NameField[] = [
  { field: "channel", label: "channel", change: (value) => ({ channel: Number(value ?? 0) || undefined }) },
  { field: "username", label: "username", change: (value) => ({ username: value }) },
];

interface LogFacetsProps {
  filter: LogFilterState;
  /** Beside the list there is room for the values that are asked for most. */
  isBeside: boolean;
}

/** Every filter of the log but that by time. */
export function LogFacets({ filter, isBeside }: LogFacetsProps) {
  const isAdmin = useIsAdmin();
  return (
    <div>
      <TypeFacet filter={filter} />
      <ResultFacet filter={filter} startsOpen={isBeside} />
      {[...NAMES, ...(isAdmin ? NAMES_FOR_ADMINS : [])].map((name) => (
        <NameFacet key={name.field} name={name} filter={filter} startsOpen={isBeside && name.field === "model_name"} />
      ))}
    </div>
  );
}
