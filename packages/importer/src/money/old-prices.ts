import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import { objectOf, textOf } from "../old-row.ts";

type Table = ReadonlyMap<string, number>;

/**
 * Price settings that the administrator of an old server has saved. Its program has further defaults.
 *
 * | setting | meaning |
 * |---|---|
 * | ModelRatio | price of an input token; 1 is $2 a million |
 * | CompletionRatio, CacheRatio, CreateCacheRatio | multiples of the input price: output, cache reads, cache writes |
 * | ImageRatio, AudioRatio | multiples of the input price: pictures and sound in the prompt |
 * | AudioCompletionRatio | sound in the answer, as a multiple of sound in the prompt |
 * | ModelPrice | dollars per request; wins over ModelRatio |
 * | GroupRatio | factor of the group that a token uses |
 * | GroupGroupRatio | by the user's group, then by the token's; wins over GroupRatio |
 * | billing_setting.billing_mode | `tiered_expr` for models that are priced by an expression |
 *
 * Source: https://github.com/QuantumNous/new-api, setting/ratio_setting and relay/helper/price.go (read in November 2026).
 */
export interface OldPrices {
  readonly modelRatios: Table;
  readonly completionRatios: Table;
  readonly cacheRatios: Table;
  readonly cacheWriteRatios: Table;
  readonly imageRatios: Table;
  readonly audioRatios: Table;
  readonly audioCompletionRatios: Table;
  readonly modelPrices: Table;
  readonly groupRatios: Table;
  readonly specialGroupRatios: ReadonlyMap<string, Table>;
  readonly byExpression: ReadonlySet<string>;
  readonly quotaPerDollar: number;
}

const QUOTA_PER_DOLLAR = 500_000;

export function readOldPrices(options: readonly ForeignRow[]): OldPrices {
  const rows = new Map(options.map((row) => [textOf(row, "key"), row]));
  const settingOf = (key: string) => objectOf(rows.get(key) ?? {}, "value");
  const quotaPerDollar = Number(rows.get("QuotaPerUnit")?.["value"]);
  const modes = Object.entries(settingOf("billing_setting.billing_mode"));
  return {
    modelRatios: numbersIn(settingOf("ModelRatio")),
    completionRatios: numbersIn(settingOf("CompletionRatio")),
    cacheRatios: numbersIn(settingOf("CacheRatio")),
    cacheWriteRatios: numbersIn(settingOf("CreateCacheRatio")),
    imageRatios: numbersIn(settingOf("ImageRatio")),
    audioRatios: numbersIn(settingOf("AudioRatio")),
    audioCompletionRatios: numbersIn(settingOf("AudioCompletionRatio")),
    modelPrices: numbersIn(settingOf("ModelPrice")),
    groupRatios: numbersIn(settingOf("GroupRatio")),
    specialGroupRatios: new Map(
      Object.entries(settingOf("GroupGroupRatio")).map(([group, ratios]) => [group, numbersIn(ratios)]),
    ),
    byExpression: new Set(modes.filter(([, mode]) => mode === "tiered_expr").map(([model]) => model)),
    quotaPerDollar: quotaPerDollar > 0 ? quotaPerDollar : QUOTA_PER_DOLLAR,
  };
}

function numbersIn(value: unknown): Table {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([name, ratio]) => (typeof ratio === "number" && ratio >= 0 ? [[name, ratio] as const] : [])),
  );
}

/** Returns the ratio of a model. `name(type)` wins over `name`, as in One API's tables. */
export function oldRatio(table: Table, model: string, type: number): number | undefined {
  return table.get(`${model}(${type})`) ?? table.get(model);
}

/** Returns the factor of a token's group for a user of another group. Groups without a ratio have 1. */
export function oldGroupRatio(
  { groupRatios, specialGroupRatios }: OldPrices,
  { ofUser, ofToken }: { readonly ofUser: string; readonly ofToken: string },
): number {
  return specialGroupRatios.get(ofUser)?.get(ofToken) ?? groupRatios.get(ofToken) ?? 1;
}
