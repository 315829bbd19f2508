import type { channelShareSchema } from "@one-api/contract/channels/channel-share";
import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { REST_REASONS } from "@one-api/contract/usage/channel-traffic";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { Logger } from "pino";
import type { z } from "zod";
import type { OptionStore } from "../../core/option-store.ts";
import type { ChannelForRelay } from "./load-channels-for-relay.ts";

export interface ModelCooldown {
  readonly model: string;
  readonly endsAtSeconds: number;
}

export interface ChannelCooldowns {
  coolingModels(channelId: number): readonly ModelCooldown[];
  coolingChannels(): readonly number[];
  /** Clears the failures of the channel and its keys after a change by an administrator. */
  forget(channelId: number): void;
  /** End of the cooldown of a key of the channel, in Unix seconds; 0 without. */
  keyCooldown(channelId: number, keyId: number): number;
  forgetKey(channelId: number, keyId: number): void;
  /** Clears the channel's failures and lets it begin with a small share of its requests. */
  recover(channelId: number): void;
}

export interface ModelState {
  readonly rest: (typeof REST_REASONS)[number];
  readonly untilSeconds: number;
  readonly latencyMs: number | undefined;
}

/** Tokens of a test, and its cost to the operator in quota; `UNKNOWN_COST` without a price. */
export interface ProbeUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cost: number;
}

/** `address` is host and path of the request. */
export type ProbeOutcome =
  | {
      readonly ok: true;
      readonly elapsedMs: number;
      readonly text: string;
      readonly address: string;
      /** Absent if the provider reports none. */
      readonly usage?: ProbeUsage;
    }
  | {
      readonly ok: false;
      readonly elapsedMs: number;
      readonly message: string;
      readonly failure: string;
      readonly status: number;
      readonly address: string;
    };

export type CheapestModel = (channel: ChannelForRelay) => string | undefined;

/** Sends a short request, which is not charged. */
export type ProbeChannel = (channel: ChannelForRelay, model: string) => Promise<ProbeOutcome>;

/** The share of each channel in the requests for a model in a group. Channels of `without` count as disabled. */
export type ListShares = (
  model: string,
  group: string,
  draft?: { channel: number; priority: number; weight: number },
  without?: ReadonlySet<number>,
) => Promise<z.output<typeof channelShareSchema>[]>;

export type BalanceQuery = (connection: ChannelConnection, getJson: GetJson, now: Date) => Promise<number>;

export type ModelListQuery = (connection: ChannelConnection, getJson: GetJson) => Promise<readonly string[]>;

export interface ChannelDependencies {
  readonly options: OptionStore;
  readonly log: Logger;
  readonly cooldowns: ChannelCooldowns;
  readonly statesOf: (channelId: number, models: readonly string[]) => readonly ModelState[];
  readonly probeChannel: ProbeChannel;
  readonly cheapestModel: CheapestModel;
  readonly listShares: ListShares;
  readonly balanceQueryOf: (type: ChannelType) => BalanceQuery | undefined;
  readonly modelListOf: (type: ChannelType, proxy: string) => ModelListQuery | undefined;
  /** `proxy`: that of the channel, see `ChannelForRelay`. */
  readonly getJsonThrough: (proxy: string) => GetJson;
}
