import { useState } from "react";
import type { PagedRows } from "../../lib/list/use-list-rows.ts";

type Keys = ReadonlySet<number | string>;

interface Choice<Row> {
  readonly filter: string;
  readonly keys: Keys;
  readonly loaded: readonly Row[];
}

export interface ChosenRows<Row> {
  readonly rows: readonly Row[];
  readonly selection: { readonly selected: Keys; onChange(keys: Keys): void };
  readonly total: number;
  clear(): void;
  /** Chooses the rows of all pages. Rejects when they do not come. */
  chooseAll(): Promise<void>;
  /** Forgets rows of other pages, which are no more as they were loaded. */
  forgetOthers(): void;
}

/**
 * Chosen rows of a list: of the shown page, or of all pages. A changed filter clears the choice, so that no hidden rows
 * are changed.
 */
export function useChosenRows<Row extends { readonly id: number }>(list: PagedRows<Row>): ChosenRows<Row> {
  const { filter } = list;
  const none: Choice<Row> = { filter, keys: new Set(), loaded: [] };
  const [choice, setChoice] = useState(none);
  const { keys, loaded } = choice.filter === filter ? choice : none;
  const known = new Map([...loaded, ...list.rows].map((row) => [row.id, row]));
  const rows = [...known.values()].filter(({ id }) => keys.has(id));
  return {
    rows,
    selection: {
      selected: new Set(rows.map(({ id }) => id)),
      onChange: (chosen) => setChoice({ filter, keys: chosen, loaded }),
    },
    total: list.total,
    clear: () => setChoice(none),
    chooseAll: async () => {
      const all = await list.loadAll();
      setChoice({ filter, keys: new Set(all.map(({ id }) => id)), loaded: all });
    },
    forgetOthers: () => setChoice((before) => ({ ...before, loaded: [] })),
  };
}
