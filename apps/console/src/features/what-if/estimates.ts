import type { ForeseenChange } from "@one-api/contract/usage/what-if";
import { createExternalStore } from "../../lib/state/external-store.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { whatIfInput, type WhatIfValues } from "./what-if-model.ts";

/** A change and its result. */
export interface Estimate {
  /** Counts the changes of the visit, from 1. */
  readonly number: number;
  readonly values: WhatIfValues;
  readonly result: ForeseenChange;
}

const ESTIMATES_KEPT = 5;

const store = createExternalStore<{ readonly userId: number | undefined; readonly list: readonly Estimate[] }>({
  userId: undefined,
  list: [],
});

const askedBy = (values: WhatIfValues) => JSON.stringify(whatIfInput(values));

/** Adds an estimate. One of the same change is replaced and keeps its number. */
function withEstimate(list: readonly Estimate[], values: WhatIfValues, result: ForeseenChange): readonly Estimate[] {
  const asked = askedBy(values);
  const index = list.findIndex((known) => askedBy(known.values) === asked);
  const known = list[index];
  if (known !== undefined) return list.with(index, { number: known.number, values, result });
  const number = (list.at(-1)?.number ?? 0) + 1;
  return [...list, { number, values, result }].slice(-ESTIMATES_KEPT);
}

/** The last estimates of the user in this tab, oldest first. They end with the tab. */
export function useEstimates() {
  const userId = useCurrentUser()?.id;
  const { userId: ownerId, list } = store.use();
  return {
    estimates: ownerId === userId ? list : [],
    /** Returns its number. */
    keep(values: WhatIfValues, result: ForeseenChange): number | undefined {
      const before = store.get();
      const next = withEstimate(before.userId === userId ? before.list : [], values, result);
      store.set({ userId, list: next });
      return next.find((estimate) => estimate.result === result)?.number;
    },
  };
}
