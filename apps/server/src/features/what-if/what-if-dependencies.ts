import type { OptionStore } from "../../core/option-store.ts";
import type { ModelAliases } from "../model-aliases/index.ts";
import type { ModelCatalogue } from "../models/index.ts";
import type { PriceOf } from "../pricing/index.ts";

export interface RoutingChange {
  readonly channels: ReadonlyMap<
    number,
    {
      readonly enabled?: boolean | undefined;
      readonly priority?: number | undefined;
      readonly weight?: number | undefined;
    }
  >;
  readonly poolMode: "random" | "polling" | "cheapest" | undefined;
}

export interface ForeseenShare {
  readonly channelId: number;
  readonly share: number;
  /** Cost of a mix of tokens, in the same unit for all channels; Infinity if it is unknown. */
  readonly cost: number;
}

export type PriceTables = Pick<OptionStore, "ratios" | "prices">;

/** Channels above these prices get no requests: dollars per million tokens for prompts of a length. */
export interface ForeseenCeiling {
  readonly inputTo: number | undefined;
  readonly outputTo: number | undefined;
  readonly promptTokens: number;
  readonly prices: PriceTables;
}

/** Returns the share of each channel in the requests for a model in a group, without cooldowns. */
export type ForeseeShares = (
  model: string,
  group: string,
  change?: RoutingChange,
  ceiling?: ForeseenCeiling,
) => Promise<readonly ForeseenShare[]>;

export interface WhatIfDependencies {
  readonly options: PriceTables;
  readonly aliases: Pick<ModelAliases, "find">;
  readonly catalogue: ModelCatalogue;
  readonly priceOf: PriceOf;
  readonly foreseeShares: ForeseeShares;
}
