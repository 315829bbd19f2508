import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DEFAULT_PRICE_LIST_ADDRESS, type findPriceList, type PriceChange } from "@one-api/contract/prices/price-list";
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
import type { PriceLists, PriceListReader, ReadableList } from "./follow-price-list.ts";
import { listKnownModels } from "./list-listed-prices.ts";
import { putInUse, saveFoundList } from "./price-list.repository.ts";

/** The published list has half a megabyte today. */
const MOST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const VERSION_LENGTH = 16;
const MODELS_PER_SLICE = 5;

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
  const { options, reader, program } = deps;
  const { list, data } = await readNewest(options.text("PriceListAddress") || DEFAULT_PRICE_LIST_ADDRESS, reader);
  const text = JSON.stringify(data);
  const version = createHash("sha256").update(text).digest("hex").slice(0, VERSION_LENGTH);
  const fetched_at = nowSeconds(context.clock);
  await inTransaction(context.database, async (transaction) => {
    await saveFoundList(transaction, { version, fetched_at, program, data: text });
    const detail = { version, models: list.modelCount };
    await recordAudit(transaction, context, { action: "option.find-prices", object: "price-list", detail });
  });
  return { version, fetched_at, models: list.modelCount, changes: await compare(context, deps, list) };
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

async function readNewest(address: string, reader: PriceListReader) {
  try {
    return await reader.read(await fetchJson(address, { method: "GET", mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS }));
  } catch (error) {
    const reason = reasonOf(error);
    throw new AppError("price-list-failed", `The price list could not be read: ${reason}`, { values: { reason } });
  }
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

async function compare(context: CallContext, deps: PriceListDependencies, list: ReadableList): Promise<PriceChange[]> {
  const { catalogue, options, priceLists } = deps;
  const ratios = options.ratios("ModelRatio");
  const current = priceLists.inUse().list;
  const changes: PriceChange[] = [];
  const models = await listKnownModels(context.database.db, catalogue);
  for (const [index, { model, type, served }] of models.entries()) {
    if (index % MODELS_PER_SLICE === 0) await nextTurn();
    const before = current.priceOf(model, type) ?? null;
    const after = list.priceOf(model, type) ?? null;
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const has_own_ratio = ratios.has(model) || ratios.has(`${model}(${type})`);
    changes.push({ model, type: type ?? null, served, before, after, has_own_ratio });
  }
  return changes.sort((left, right) => Number(right.served) - Number(left.served));
}
