import { type ListSearchState, type RawSearch, readListSearch } from "../../../lib/list/list-search.ts";
import { integerOf, textOf } from "../../../lib/values/read-values.ts";

export const DEFAULT_GROUP = "default";

interface MatrixSearch {
  readonly group?: string | undefined;
  /** Ids of the channels that are switched off in the preview, comma-separated. */
  readonly off?: string | undefined;
}

export function readMatrixSearch(search: RawSearch): ListSearchState & MatrixSearch {
  const off = textOf(search["off"]) ?? String(integerOf(search["off"]) ?? "");
  return {
    ...readListSearch(search),
    group: textOf(search["group"]),
    off: /^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/.test(off) ? off : undefined,
  };
}
