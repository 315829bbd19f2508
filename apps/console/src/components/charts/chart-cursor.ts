import { useState } from "react";
import { createExternalStore, type ExternalStore } from "../../lib/state/external-store.ts";

/** Index of the interval that is pointed at; undefined for none. Charts that share a cursor have the same edges. */
export type ChartCursor = ExternalStore<number | undefined>;

export function useChartCursor(): ChartCursor {
  const [cursor] = useState(() => createExternalStore<number | undefined>(undefined));
  return cursor;
}
