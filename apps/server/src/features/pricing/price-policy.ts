import type { PriceListPolicy } from "@one-api/contract/prices/price-list";
import { z } from "zod";
import type { ListChange } from "./compare-lists.ts";

export const DAY_SECONDS = 24 * 60 * 60;

const waitingSchema = z.record(z.string(), z.object({ since: z.int(), after: z.string() }));

export type WaitingPrices = z.output<typeof waitingSchema>;

export function readWaiting(text: string): WaitingPrices {
  return waitingSchema.parse(JSON.parse(text));
}

interface Decision {
  readonly apply: readonly ListChange[];
  readonly waiting: WaitingPrices;
  readonly found: readonly ListChange[];
}

/**
 * Decides which changes apply now, in Unix seconds.
 *
 * | policy | new, cheaper | dearer | odd |
 * |---|---|---|---|
 * | `off`, `manual` | wait | wait | wait |
 * | `cheaper` | now | wait | wait |
 * | `delayed` | now | a day after the list first had this price | wait |
 */
export function decideChanges(
  policy: PriceListPolicy,
  changes: readonly ListChange[],
  before: WaitingPrices,
  now: number,
): Decision {
  const apply: ListChange[] = [];
  const found: ListChange[] = [];
  const waiting: WaitingPrices = {};
  for (const change of changes) {
    const name = nameOfChange(change);
    const after = JSON.stringify(change.after);
    const known = before[name]?.after === after ? before[name] : undefined;
    const since = known?.since ?? now;
    const due = dueTime(policy, change.kind, since);
    if (due !== null && due <= now) apply.push(change);
    else {
      waiting[name] = { since, after };
      if (known === undefined) found.push(change);
    }
  }
  return { apply, waiting, found };
}

/** Unix time at which a change applies automatically; null if it waits for an administrator. */
export function dueTime(policy: PriceListPolicy, kind: ListChange["kind"], since: number): number | null {
  if (policy !== "cheaper" && policy !== "delayed") return null;
  if (kind === "cheaper" || kind === "new") return since;
  return kind === "dearer" && policy === "delayed" ? since + DAY_SECONDS : null;
}

/** Name of a change in a table of prices: `gpt-4o(1)`. */
export function nameOfChange({ model, type }: Pick<ListChange, "model" | "type">): string {
  return type === null ? model : `${model}(${type})`;
}
