import type { channelShareSchema } from "@one-api/contract/channels/channel";
import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { REST_REASONS } from "@one-api/contract/channels/channel-traffic";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { Logger } from "pino";
import type { z } from "zod";
import type { OptionStore } from "../../core/option-store.ts";
import type { ChannelForRelay } from "./load-channels-for-relay.ts";

/** A model that its provider limits for now, by the name that the provider knows. */
export interface SleepingModel {
  readonly model: string;
  /** Unix time in seconds. */
  readonly awakeTimeSeconds: number;
}

/** What is known of channels that sleep because their provider limits them. */
export interface ChannelSleep {
  /** The models that sleep right now. */
  sleepingModels(channelId: number): readonly SleepingModel[];
  /** Ids of the channels of which some model sleeps right now. */
  sleepingChannels(): readonly number[];
  /** Forgets what went wrong with the channel, since an administrator has seen to it. */
  forget(channelId: number): void;
}

/** What this server has seen of a model at a channel lately, by the provider's name. */
export interface ModelState {
  /** Why it is passed over for now; empty while it is asked. */
  readonly rest: (typeof REST_REASONS)[number];
  /** Until when, in Unix seconds; 0 while it is asked. */
  readonly untilSeconds: number;
  /** Until an answer began, on the average of the last ones; undefined before the first. */
  readonly latencyMs: number | undefined;
}

/** How a test of a channel went. `address` is the host and the path that were asked. */
export type ProbeOutcome =
  | { readonly ok: true; readonly elapsedMs: number; readonly text: string; readonly address: string }
  | {
      readonly ok: false;
      readonly elapsedMs: number;
      readonly message: string;
      /** Kind of the failure, such as `bad-credential` or `timeout`. */
      readonly failure: string;
      /** HTTP status that the provider gave; 0 when none came. */
      readonly status: number;
      readonly address: string;
    };

/** Asks the channel's provider a short question, charged to nobody. */
export type ProbeChannel = (channel: ChannelForRelay, model: string) => Promise<ProbeOutcome>;

/** The share of requests that each channel gets for a model in a group right now. */
export type ListShares = (
  model: string,
  group: string,
  draft?: { channel: number; priority: number; weight: number },
) => Promise<z.output<typeof channelShareSchema>[]>;

/** Asks a provider for the balance of an account, in the unit of its channel type. */
export type BalanceQuery = (connection: ChannelConnection, getJson: GetJson, now: Date) => Promise<number>;

/** Asks a provider which models it serves to an account. */
export type ModelListQuery = (connection: ChannelConnection, getJson: GetJson) => Promise<readonly string[]>;

/** What the calls on channels need beyond the context of each call. */
export interface ChannelDependencies {
  readonly options: OptionStore;
  readonly log: Logger;
  readonly sleep: ChannelSleep;
  /** The states of these models at a channel, in their order. */
  readonly statesOf: (channelId: number, models: readonly string[]) => readonly ModelState[];
  readonly probeChannel: ProbeChannel;
  readonly listShares: ListShares;
  /** Undefined for a type whose provider has no such question. */
  readonly balanceQueryOf: (type: ChannelType) => BalanceQuery | undefined;
  /** Undefined for a type whose provider has no such list. */
  readonly modelListOf: (type: ChannelType) => ModelListQuery | undefined;
  readonly getJson: GetJson;
}
