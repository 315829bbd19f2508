import type { createChannelInputSchema } from "@one-api/contract/channels/channel";
import type { OptionKey } from "@one-api/contract/option";
import type { z } from "zod";

/** Input of a new channel, as the management API takes it. */
export type ChannelInput = Omit<z.output<typeof createChannelInputSchema>, "status">;

/** A channel that the gateway can store. The planner reads its weight and passes on the rest. */
export interface CheckedChannel {
  readonly fields: { readonly weight: number };
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
  /** Returns the tidy text of an option. Throws a refusal. */
  readOption(key: OptionKey, text: string): string;
  /** Throws a refusal for a switch whose required options are not set. */
  checkOptionNeeds(key: OptionKey, text: string, options: ReadonlyMap<string, string>): void;
  /** Returns one channel for each key of the input. Throws a refusal. */
  checkNewChannels(input: ChannelInput): Channel[];
}
