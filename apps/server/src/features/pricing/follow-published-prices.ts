import { type ModelPriceInDollars, UNIT_PRICES } from "@one-api/contract/prices/model-prices";
import { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { queueAlert } from "../alerts/index.ts";
import { lockStoredOptions, renewOptionsVersion } from "../options/index.ts";
import {
  fetchPriceList,
  type FetchedList,
  policyOf,
  type PriceListDependencies,
  versionOf,
} from "./change-price-list.ts";
import { compareLists, type ListChange } from "./compare-lists.ts";
import { DAY_SECONDS, decideChanges, nameOfChange, readWaiting } from "./price-policy.ts";
import { findFetchedList, findListData, findListInUse, saveFoundList, saveListInUse } from "./price-list.repository.ts";

const MOST_NAMED = 10;

/**
 * Fetches the price list if the last one is a day old, and applies the changes that the option PriceListPolicy
 * allows. Several servers may run it: each change is applied, recorded and announced once. Throws `price-list-failed`.
 */
export async function followPublishedPrices(context: CallContext, deps: PriceListDependencies): Promise<void> {
  const policy = policyOf(deps.options);
  if (policy === "off") return;
  const now = nowSeconds(context.clock);
  const last = await findFetchedList(context.database.db);
  if (last !== undefined && now - last.fetched_at < DAY_SECONDS) return;
  const fetched = await fetchPriceList(deps);
  const inUse = deps.priceLists.inUse();
  const changes = await compareLists(context.database.db, deps, inUse.list, fetched.list);
  const isChanged = await inTransaction(context.database, async (transaction) => {
    await lockStoredOptions(transaction);
    const current = await findListInUse(transaction);
    const newest = await findFetchedList(transaction);
    // Another server was faster, or an administrator applied a list.
    if ((current?.version ?? "") !== inUse.version || newest?.fetched_at !== last?.fetched_at) return false;
    const before = readWaiting(newest?.waiting ?? "{}");
    const { apply, waiting, found } = decideChanges(policy, changes, before, now);
    const { version, text } = fetched;
    const row = { version, fetched_at: now, program: deps.program, data: text, waiting: JSON.stringify(waiting) };
    await saveFoundList(transaction, row);
    const named = (each: readonly ListChange[]) => ({
      changes: each.slice(0, MOST_NAMED).map(inWords),
      count: each.length,
    });
    if (found.length > 0) await queueAlert(transaction, { kind: "prices-found", ...named(found) }, now);
    if (apply.length === 0) return false;
    const to = await applyChanges(transaction, { fetched, apply, isAll: apply.length === changes.length, inUse, row });
    await renewOptionsVersion(transaction);
    await queueAlert(transaction, { kind: "prices-changed", what: "PriceList", by: "", ...named(apply) }, now);
    const prices = Object.fromEntries(
      apply.map((change) => [nameOfChange(change), { from: change.before, to: change.after }]),
    );
    const detail = { version: { from: inUse.version, to }, policy, prices };
    await recordAudit(transaction, context, { action: "option.use-prices", object: "price-list", detail });
    return true;
  });
  if (!isChanged) return;
  await deps.priceLists.load();
  context.changes.announce("options");
}

const layersSchema = z.object({ list: z.unknown(), names: z.record(z.string(), z.unknown()) });

interface Application {
  readonly fetched: FetchedList;
  readonly apply: readonly ListChange[];
  readonly isAll: boolean;
  readonly inUse: { readonly version: string };
  readonly row: Parameters<typeof saveFoundList>[1];
}

/** Puts the fetched list into use, or the one in use with the changed prices over it. Returns its version. */
async function applyChanges(
  transaction: Queryable,
  { fetched, apply, isAll, inUse, row }: Application,
): Promise<string> {
  if (isAll) {
    await saveListInUse(transaction, { ...row, waiting: "{}" });
    return fetched.version;
  }
  const stored: unknown =
    inUse.version === "" ? null : JSON.parse((await findListData(transaction, inUse.version)) ?? "null");
  const layers = layersSchema.safeParse(stored);
  const { list, names } = layers.success ? layers.data : { list: stored, names: {} };
  const changed = Object.fromEntries(apply.map((change) => [nameOfChange(change), change.after]));
  const data = JSON.stringify({ list, names: { ...names, ...changed } });
  const version = versionOf(data);
  await saveListInUse(transaction, { ...row, version, data, waiting: "{}" });
  return version;
}

/** A change in an alert: `gpt-4o (1): $2.50 / $10.00 → $2 / $8`. */
function inWords({ model, before, after }: ListChange): string {
  return `${model} ${textOf(before)} → ${textOf(after)}`;
}

function textOf(price: ModelPriceInDollars | null): string {
  if (price === null) return "–";
  const unit = UNIT_PRICES.find((name) => price[name] !== undefined);
  if (unit !== undefined) return `$${price[unit]} ${unit.replaceAll("_", " ")}`;
  return `$${price.input} / $${price.output}`;
}
