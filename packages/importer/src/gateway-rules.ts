import type { createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import type { OptionKey } from "@one-api/contract/options/option-definitions";
import type { PriceTable } from "@one-api/contract/prices/model-prices";
import type { PriceUnit } from "@one-api/contract/prices/price-unit";
import type { RatioKey } from "@one-api/contract/prices/ratios";
import type { z } from "zod";

/** Input of a new channel, as the management API takes it. */
export type ChannelInput = Omit<z.output<typeof createChannelInputSchema>, "status">;

/** A channel that the gateway can store. The planner reads these fields and passes on the rest. */
export interface CheckedChannel {
  readonly fields: {
    readonly type: number;
    readonly weight: number;
    readonly models: string;
    readonly model_mapping: string;
  };
  readonly key: string;
  readonly moreKeys: readonly string[];
}

/** Ratios and prices that an administrator has set, by option and name. */
export interface SetPrices extends Readonly<Record<RatioKey, ReadonlyMap<string, number>>> {
  readonly ModelPrices: PriceTable;
}

/** Tokens of a request; all but the completion tokens are part of the prompt tokens. */
export interface ChargedTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly longCacheWriteTokens: number;
}

/** The gateway's price of a model for one group. All ratios but those of model and group are relative to input tokens. */
export interface GatewayPrice {
  readonly unit: PriceUnit;
  readonly source: "option" | "list" | "fallback";
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly groupRatio: number;
  readonly cachedRatio: number;
  readonly cacheWriteRatio: number;
  readonly imageRatio: number;
  readonly audioRatio: number;
  readonly audioCompletionRatio: number;
  /** Returns the charge in quota; for models with another unit than tokens, that of one plain unit. */
  charge(tokens: ChargedTokens): number;
}

interface PricedModel {
  readonly model: string;
  readonly type: number;
  readonly group: string;
}

/** Rules that the gateway applies to all input, also that of its console. */
export interface GatewayRules<Channel extends CheckedChannel = CheckedChannel> {
  /** True for errors that a rule throws on invalid input; their messages go into the report. */
  isRefusal(error: unknown): error is Error;
  isBcryptHash(text: string): boolean;
  /** Returns the stored form of a user's id at a sign-in provider. */
  boundIdAt(address: string, id: string): string;
  /** Returns a tidy list of networks. Throws a refusal. */
  readSubnet(list: string): string;
  readOption(key: OptionKey, text: string): string;
  /** Throws a refusal for a switch whose required options are not set. */
  checkOptionNeeds(key: OptionKey, text: string, options: ReadonlyMap<string, string>): void;
  /** Returns one channel, or one for each line of a key without further keys. Throws a refusal. */
  checkNewChannels(input: ChannelInput): Channel[];
  priceOf(prices: SetPrices, model: PricedModel): GatewayPrice;
}
