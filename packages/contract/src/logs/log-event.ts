import * as z from "zod/mini";
import { CHANNEL_HINTS } from "../channels/channel-constants.ts";

/** What entries of the log tell that are of no request. The console has a sentence for each, in every language. */
const LOG_EVENTS = [
  "quota-of-new-user",
  "quota-of-invitation",
  "quota-of-invitee",
  "quota-of-inviter",
  "quota-set",
  "quota-added",
  "code-redeemed",
  "reset-mail-failed",
  "message-postponed",
  "message-given-up",
  "models-updated",
  "channel-test-passed",
  "channel-test-failed",
  "channel-restocked",
  "channel-disabled",
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "audit-broken",
] as const;

/** An event, with the numbers and names in its sentence. */
export const logEventSchema = z.object({
  code: z.enum(LOG_EVENTS),
  values: z.object({
    /** Of a user, a channel or a code, and its id. */
    name: z.optional(z.string()),
    id: z.optional(z.int()),
    /** Quota that was given, or what it was changed from and to. */
    quota: z.optional(z.int()),
    from: z.optional(z.int()),
    to: z.optional(z.int()),
    /** Until when it holds, in Unix seconds. */
    until: z.optional(z.int()),
    /** Of a message: its subject, whom it was for (empty for root), and how often it was tried. */
    subject: z.optional(z.string()),
    recipient: z.optional(z.string()),
    tries: z.optional(z.int()),
    /** Of the update of models: channels, providers that listed theirs, and those that did not answer. */
    channels: z.optional(z.int()),
    listed: z.optional(z.int()),
    failed: z.optional(z.int()),
    /** Label of a type of channel, and how many of it should be enabled. */
    type: z.optional(z.string()),
    threshold: z.optional(z.number()),
    /** What was used of which limit: dollars, or seconds of a test. */
    used: z.optional(z.number()),
    limit: z.optional(z.number()),
    /** An account's balance, in the provider's money. */
    balance: z.optional(z.number()),
    /** How many problems were found. */
    found: z.optional(z.int()),
    /** Why a channel was disabled: one of the contract's hints. */
    reason: z.optional(z.enum(CHANNEL_HINTS)),
    /** What a provider, a mail server, a shop or the gateway itself said of it, in whatever language that is; no part of the sentence. */
    said: z.optional(z.string()),
  }),
});

export type LogEvent = z.infer<typeof logEventSchema>;
