import { z } from "zod";
import { CHANNEL_HINTS } from "../channels/channel.ts";

/** What entries of the log tell that are of no request. The console has a sentence for each, in every language. */
export const LOG_EVENTS = [
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
    name: z.string().optional(),
    id: z.int().optional(),
    /** Quota that was given, or what it was changed from and to. */
    quota: z.int().optional(),
    from: z.int().optional(),
    to: z.int().optional(),
    /** Until when it holds, in Unix seconds. */
    until: z.int().optional(),
    /** Of a message: its subject, whom it was for (empty for root), and how often it was tried. */
    subject: z.string().optional(),
    recipient: z.string().optional(),
    tries: z.int().optional(),
    /** Of the update of models: channels, providers that listed theirs, and those that did not answer. */
    channels: z.int().optional(),
    listed: z.int().optional(),
    failed: z.int().optional(),
    /** Label of a type of channel, and how many of it should be enabled. */
    type: z.string().optional(),
    threshold: z.number().optional(),
    /** What was used of which limit: dollars, or seconds of a test. */
    used: z.number().optional(),
    limit: z.number().optional(),
    /** An account's balance, in the provider's money. */
    balance: z.number().optional(),
    /** How many problems were found. */
    found: z.int().optional(),
    /** Why a channel was disabled: one of the contract's hints. */
    reason: z.enum(CHANNEL_HINTS).optional(),
    /** What a provider, a mail server, a shop or the gateway itself said of it, in whatever language that is; no part of the sentence. */
    said: z.string().optional(),
  }),
});

export type LogEvent = z.infer<typeof logEventSchema>;
