import type { WhatIfInput } from "@one-api/contract/usage/what-if";
import { type AliasRow, aliasesOf, isRepeated, missingIn } from "../settings/inputs/aliases/aliases-text.ts";

export interface PriceRow {
  readonly id: number;
  readonly model: string;
  /** Dollars per million tokens. */
  readonly input: number | string;
  readonly output: number | string;
}

export interface ChannelRow {
  readonly id: number;
  /** Id of the channel; empty until one is chosen. */
  readonly channel: string;
  readonly state: "same" | "off" | "on";
  /** Empty for no change. */
  readonly priority: number | string;
  readonly weight: number | string;
}

export type PoolModeChoice = "same" | "random" | "polling" | "cheapest";

export interface WhatIfValues {
  readonly days: "7" | "30";
  /** New factors by group; empty for no change. */
  readonly ratios: Readonly<Record<string, number | string>>;
  readonly prices: readonly PriceRow[];
  readonly channels: readonly ChannelRow[];
  readonly aliases: readonly AliasRow[];
  readonly poolMode: PoolModeChoice;
}

/** A section of the form. */
export interface SectionProps {
  values: WhatIfValues;
  change(patch: Partial<WhatIfValues>): void;
}

export const NO_CHANGE: WhatIfValues = {
  days: "7",
  ratios: {},
  prices: [],
  channels: [],
  aliases: [],
  poolMode: "same",
};

const numberOf = (value: number | string): number | undefined => (value === "" ? undefined : Number(value));

/** Returns what a row of prices lacks. An empty row lacks nothing. */
export function missingPrice({
  model,
  input,
  output,
}: PriceRow): Readonly<Record<"model" | "input" | "output", boolean>> {
  const isEmpty = [model.trim(), input, output].every((value) => value === "");
  return { model: !isEmpty && model.trim() === "", input: !isEmpty && input === "", output: !isEmpty && output === "" };
}

/** True for a change of a channel that is not chosen. The state of a new row says nothing. */
export function lacksChannel({ channel, priority, weight }: ChannelRow): boolean {
  return channel === "" && (priority !== "" || weight !== "");
}

/** True while a row is filled in by half: the estimate would leave it out. */
export function isUnfinished({ prices, channels, aliases }: WhatIfValues): boolean {
  const isHalf = (row: AliasRow) => Object.values(missingIn(row)).includes(true) || isRepeated(row, aliases);
  return (
    prices.some((row) => Object.values(missingPrice(row)).includes(true)) ||
    channels.some(lacksChannel) ||
    aliases.some(isHalf)
  );
}

/** Returns the rows with another alias in one of them. The first row of an alias brings those of its present models. */
export function withAlias(
  rows: readonly AliasRow[],
  row: AliasRow,
  alias: string,
  saved: readonly AliasRow[],
): readonly AliasRow[] {
  const isFirst = row.model === "" && !rows.some((other) => other.alias === alias);
  const present = isFirst ? saved.filter((other) => other.alias === alias) : [];
  if (present.length === 0) return rows.map((other) => (other === row ? { ...row, alias } : other));
  const firstId = Math.max(...rows.map(({ id }) => id)) + 1;
  return [
    ...rows.filter((other) => other !== row),
    ...present.map((other, index) => ({ ...other, id: firstId + index })),
  ];
}

/** Returns the input of the estimate. Empty rows count for nothing. */
export function whatIfInput({ days, ratios, prices, channels, aliases, poolMode }: WhatIfValues): WhatIfInput {
  return {
    days: days === "30" ? 30 : 7,
    group_ratios: Object.fromEntries(
      Object.entries(ratios).flatMap(([group, ratio]) => (ratio === "" ? [] : [[group, Number(ratio)]])),
    ),
    model_prices: Object.fromEntries(
      prices
        .filter(isPriced)
        .map(({ model, input, output }) => [model.trim(), [{ input: Number(input), output: Number(output) }]]),
    ),
    channels: channels.filter(({ channel }) => channel !== "").map(changeOf),
    aliases: aliasesOf(aliases),
    ...(poolMode === "same" ? {} : { pool_mode: poolMode }),
  };
}

export function isPriced({ model, input, output }: PriceRow): boolean {
  return model.trim() !== "" && input !== "" && output !== "";
}

function changeOf({ channel, state, priority, weight }: ChannelRow) {
  return {
    id: Number(channel),
    ...(state === "same" ? {} : { enabled: state === "on" }),
    ...(numberOf(priority) === undefined ? {} : { priority: numberOf(priority) }),
    ...(numberOf(weight) === undefined ? {} : { weight: numberOf(weight) }),
  };
}

/** True if the change has no effect, so that there is nothing to estimate. */
export function isEmptyChange(values: WhatIfValues): boolean {
  const { group_ratios = {}, model_prices = {}, channels = [], aliases = {}, pool_mode } = whatIfInput(values);
  const parts = [Object.keys(group_ratios), Object.keys(model_prices), channels, Object.keys(aliases)];
  return pool_mode === undefined && parts.every(({ length }) => length === 0);
}
