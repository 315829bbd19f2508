import { type DatedPrice, parsePrices, priceInForce, type PriceTable } from "@one-api/contract/prices/model-prices";
import { OPTION_RATIOS, parseRatios, type PriceKey, type RatiosProblem } from "@one-api/contract/prices/ratios";
import { type PriceUnit, quotaOfUnit } from "@one-api/contract/prices/price-unit";
import type { ListedPrice } from "@one-api/contract/prices/pricing";
import { roundToDigits } from "../../../../lib/format.ts";
import type { SavedOptions } from "../../options/option-draft.ts";

export type RatioTexts = Readonly<Record<PriceKey, string>>;

export type Ratios = ReadonlyMap<string, number>;

/** Saved texts for display: an empty object is an empty text. */
export function savedTexts({ values }: SavedOptions): RatioTexts {
  const shown = (key: PriceKey) => {
    const text = values[key] ?? "";
    return entriesOf(key, text)?.size === 0 ? "" : text;
  };
  return {
    ModelRatio: shown("ModelRatio"),
    CompletionRatio: shown("CompletionRatio"),
    GroupRatio: shown("GroupRatio"),
    ModelPrices: shown("ModelPrices"),
  };
}

/** The entries of a text by name; undefined while something is wrong with it. */
export function entriesOf(key: PriceKey, text: string): ReadonlyMap<string, unknown> | undefined {
  return key === "ModelPrices" ? pricesOf(text) : ratiosOf(text);
}

/** The prices of a text; undefined while something is wrong with it. */
export function pricesOf(text: string): PriceTable | undefined {
  return parsePrices(text).prices;
}

export function problemOf(text: string): RatiosProblem | undefined {
  const parsed = parseRatios(text, OPTION_RATIOS);
  return parsed.entries === undefined ? parsed.problem : undefined;
}

/** The ratios of a text; undefined while something is wrong with it. */
export function ratiosOf(text: string): Ratios | undefined {
  return parseRatios(text, OPTION_RATIOS).entries;
}

/** One entry that is added (no `before`), removed (no `after`) or changed. */
export interface EntryChange<Entry> {
  readonly name: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Changes by saving, sorted by name. */
export function changesBetween<Entry>(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): EntryChange<Entry>[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The price of a model in force, and where it comes from: an own ratio, the maintained list, or neither. */
interface PriceInForce {
  readonly input: number;
  readonly output: number;
  readonly source: "own" | "list" | "none";
}

interface PriceChange {
  readonly row: ModelRow;
  readonly before: PriceInForce;
  readonly after: PriceInForce;
}

interface ModelRatios {
  readonly model: Ratios;
  readonly completion: Ratios;
}

function priceOf(row: ModelRow, unknownRatio: number): PriceInForce {
  const source = row.modelRatio !== undefined ? "own" : row.listedModelRatio !== undefined ? "list" : "none";
  return { ...inForce(row, unknownRatio), source };
}

/** The prices of models before and after a save, of each whose own ratio is set, changed or removed, sorted by name. */
export function priceChangesBetween(
  before: ModelRatios,
  after: ModelRatios,
  listed: readonly ListedPrice[],
  unknownRatio: number,
): PriceChange[] {
  const names = [
    ...changesBetween(before.model, after.model),
    ...changesBetween(before.completion, after.completion),
  ].map(({ name }) => name);
  const rowsOf = ({ model, completion }: ModelRatios) => {
    const rows = new Map(modelRows(model, completion, listed).map((row) => [row.model, row]));
    return (name: string) => rows.get(name) ?? unlistedRow(name);
  };
  const [rowBefore, rowAfter] = [rowsOf(before), rowsOf(after)];
  return [...new Set(names)].sort().map((name) => ({
    row: rowAfter(name),
    before: priceOf(rowBefore(name), unknownRatio),
    after: priceOf(rowAfter(name), unknownRatio),
  }));
}

/** The ratios with one entry set, or without it where the ratio is undefined. */
export function withRatio(ratios: Ratios, name: string, ratio: number | undefined): Ratios {
  const next = new Map(ratios);
  if (ratio === undefined) next.delete(name);
  else next.set(name, ratio);
  return next;
}

/** A model in the table: own ratios, and those of the maintained list. */
export interface ModelRow {
  readonly model: string;
  readonly type: number | null;
  readonly served: boolean;
  readonly unit: PriceUnit;
  readonly modelRatio: number | undefined;
  readonly completionRatio: number | undefined;
  readonly listedModelRatio: number | undefined;
  readonly listedCompletionRatio: number | undefined;
  readonly prices: readonly DatedPrice[];
}

/** Which models the table shows: those with own ratios, those that channels serve, those whose price is another than the list's, or all. */
export const SHOWN = ["own", "served", "different", "all"] as const;

export type Shown = (typeof SHOWN)[number];

/** Row of a model; an empty one for a model without ratios and prices that the list does not have. */
export function rowOf(rows: readonly ModelRow[], model: string): ModelRow {
  return rows.find((row) => row.model === model) ?? unlistedRow(model);
}

function unlistedRow(model: string): ModelRow {
  const nothing = { modelRatio: undefined, completionRatio: undefined };
  const notListed = { listedModelRatio: undefined, listedCompletionRatio: undefined };
  return { model, type: null, served: false, unit: "token", prices: [], ...nothing, ...notListed };
}

const NO_PRICES: PriceTable = new Map();

export function modelRows(
  model: Ratios,
  completion: Ratios,
  listed: readonly ListedPrice[],
  prices: PriceTable = NO_PRICES,
): ModelRow[] {
  const known = new Map(listed.map((price) => [price.model, price]));
  return [...new Set([...model.keys(), ...completion.keys(), ...known.keys(), ...prices.keys()])]
    .sort((left, right) => (left < right ? -1 : 1))
    .map((name) => {
      // Ratios may be set for one kind of channel alone: `gpt-4o(3)`.
      const price = known.get(name) ?? known.get(name.replace(/\(\d+\)$/, ""));
      return {
        model: name,
        type: price?.type ?? null,
        served: price?.served ?? false,
        unit: price?.unit ?? "token",
        prices: prices.get(name) ?? [],
        modelRatio: model.get(name),
        completionRatio: completion.get(name),
        listedModelRatio: price?.model_ratio ?? undefined,
        listedCompletionRatio: price?.completion_ratio ?? undefined,
      };
    });
}

/** True where an own ratio is another than the list's. */
export function isDifferent(row: ModelRow): boolean {
  const { modelRatio, completionRatio, listedModelRatio, listedCompletionRatio } = row;
  return (
    row.prices.length > 0 ||
    (modelRatio !== undefined && modelRatio !== listedModelRatio) ||
    (completionRatio !== undefined && completionRatio !== listedCompletionRatio)
  );
}

export function isOwn({ modelRatio, completionRatio, prices }: ModelRow): boolean {
  return modelRatio !== undefined || completionRatio !== undefined || prices.length > 0;
}

/** The own price in force; undefined where ratios or the list count. */
export function ownPriceOf({ prices }: ModelRow): DatedPrice | undefined {
  return priceInForce(prices, Date.now());
}

export function filterRows(rows: readonly ModelRow[], shown: Shown, keyword: string): ModelRow[] {
  const wanted = keyword.trim().toLowerCase();
  return rows.filter((row) => {
    if (shown === "own" && !isOwn(row)) return false;
    if (shown === "served" && !row.served && !isOwn(row)) return false;
    if (shown === "different" && !isDifferent(row)) return false;
    return row.model.toLowerCase().includes(wanted);
  });
}

const DIGITS = 12;

/** Dollars of a ratio per million tokens, or per stated amount of another unit. */
export function dollarsOf(ratio: number, quotaPerUnit: number, unit: PriceUnit = "token"): number {
  return roundToDigits((ratio * quotaOfUnit(unit, 1)) / quotaPerUnit, DIGITS);
}

/** Ratio of a price in dollars per million tokens, or of the stated amount of another unit. */
export function ratioOf(dollars: number, quotaPerUnit: number, unit: PriceUnit = "token"): number {
  return roundToDigits((dollars * quotaPerUnit) / quotaOfUnit(unit, 1), DIGITS);
}

/** Ratios in force for input and output: own ones, else the list's, else those of an unknown model. */
export function inForce(row: ModelRow, unknownRatio: number): { input: number; output: number } {
  const input = row.modelRatio ?? row.listedModelRatio ?? unknownRatio;
  return { input, output: input * (row.completionRatio ?? row.listedCompletionRatio ?? 1) };
}
