import { createHash } from "node:crypto";
import {
  DEFAULT_PRICE_LIST_ADDRESS,
  type findPriceList,
  type listWaitingPrices as listWaitingCall,
  PRICE_LIST_POLICIES,
  type PriceListPolicy,
} from "@one-api/contract/prices/price-list";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction } from "../../core/transaction.ts";
import { queueAlert } from "../alerts/index.ts";
import type { ModelCatalogue } from "../models/index.ts";
import { renewOptionsVersion } from "../options/index.ts";
import { compareLists } from "./compare-lists.ts";
import type { PriceLists, PriceListReader, ReadableList } from "./follow-price-list.ts";
import { dueTime, nameOfChange, readWaiting } from "./price-policy.ts";
import { findFetchedList, findListData, putInUse, saveFoundList } from "./price-list.repository.ts";

/** Published lists have half a megabyte to two today. */
const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const VERSION_LENGTH = 16;

export interface PriceListDependencies {
  readonly options: OptionStore;
  readonly catalogue: ModelCatalogue;
  readonly reader: PriceListReader;
  readonly priceLists: PriceLists;
  readonly program: string;
}

type Found = z.output<(typeof findPriceList)["data"]>;

/**
 * Downloads and stores the newest list, and returns the changes that it would make. Throws
 * `price-list-failed` with the reason.
 */
export async function findNewPriceList(context: CallContext, deps: PriceListDependencies): Promise<Found> {
  const { list, text, version } = await fetchPriceList(deps);
  const fetched_at = nowSeconds(context.clock);
  await inTransaction(context.database, async (transaction) => {
    const waiting = (await findFetchedList(transaction))?.waiting ?? "{}";
    await saveFoundList(transaction, { version, fetched_at, program: deps.program, data: text, waiting });
    const detail = { version, models: list.modelCount };
    await recordAudit(transaction, context, { action: "option.find-prices", object: "price-list", detail });
  });
  const changes = await compareLists(context.database.db, deps, deps.priceLists.inUse().list, list);
  return {
    version,
    fetched_at,
    models: list.modelCount,
    changes: changes.map((change) => ({ ...change, due_at: null })),
  };
}

/** Returns the changes of the list that was fetched last, and when they apply by themselves; null without any. */
export async function listWaitingPrices(
  context: CallContext,
  deps: PriceListDependencies,
): Promise<z.output<(typeof listWaitingCall)["data"]>> {
  const row = await findFetchedList(context.database.db);
  if (row === undefined || row.in_use === 1) return null;
  const data = await findListData(context.database.db, row.version);
  if (data === undefined) return null;
  const { list } = await deps.reader.read(JSON.parse(data));
  const changes = await compareLists(context.database.db, deps, deps.priceLists.inUse().list, list);
  if (changes.length === 0) return null;
  const waiting = readWaiting(row.waiting);
  const due = (change: (typeof changes)[number]) => {
    const since = waiting[nameOfChange(change)]?.since;
    return since === undefined ? null : dueTime(policyOf(deps.options), change.kind, since);
  };
  const { version, fetched_at } = row;
  return {
    version,
    fetched_at,
    models: list.modelCount,
    changes: changes.map((one) => ({ ...one, due_at: due(one) })),
  };
}

export function policyOf(options: OptionStore): PriceListPolicy {
  const text = options.text("PriceListPolicy");
  return PRICE_LIST_POLICIES.find((policy) => policy === text) ?? "off";
}

/**
 * Uses the list of the version on every server; an empty version means the built-in list. Throws
 * `price-list-gone` if another was downloaded since.
 */
export async function useOtherPriceList(
  context: CallContext,
  { priceLists }: PriceListDependencies,
  version: string,
): Promise<void> {
  const before = priceLists.inUse().version;
  await inTransaction(context.database, async (transaction) => {
    if (!(await putInUse(transaction, version)))
      throw new AppError("price-list-gone", "Another list was read since. Look for new prices again.");
    await renewOptionsVersion(transaction);
    const by = context.actor?.username ?? "";
    await queueAlert(transaction, { kind: "prices-changed", what: "PriceList", by }, nowSeconds(context.clock));
    const detail = { version: { from: before, to: version } };
    await recordAudit(transaction, context, { action: "option.use-prices", object: "price-list", detail });
  });
  await priceLists.load();
  context.changes.announce("options");
}

export interface FetchedList {
  readonly list: ReadableList;
  readonly text: string;
  readonly version: string;
}

/** Downloads the list, through the proxy for calls to providers if it is on. Throws `price-list-failed`. */
export async function fetchPriceList({
  options,
  reader,
}: Pick<PriceListDependencies, "options" | "reader">): Promise<FetchedList> {
  const address = options.text("PriceListAddress") || DEFAULT_PRICE_LIST_ADDRESS;
  const proxy = options.flag("GlobalProxyEnabled") ? options.secret("HttpProxy") : "";
  try {
    const limits = { mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS };
    const { list, data } = await reader.read(await fetchJson(address, { method: "GET", proxy, ...limits }));
    const text = JSON.stringify(data);
    return { list, text, version: versionOf(text) };
  } catch (error) {
    const reason = reasonOf(error);
    throw new AppError("price-list-failed", `The price list could not be read: ${reason}`, { values: { reason } });
  }
}

export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, VERSION_LENGTH);
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const place = issue?.path.join(".") ?? "";
    return `what stands there is no price list (${place === "" ? "" : `${place}: `}${issue?.message ?? "not readable"})`;
  }
  if (error instanceof SyntaxError) return "what stands there is no JSON";
  if (!(error instanceof Error)) return "unknown";
  // Only the cause of a failed fetch has its reason.
  return error.cause instanceof Error ? error.cause.message : error.message;
}
