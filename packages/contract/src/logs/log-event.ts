import * as z from "zod/mini";
import { CHANNEL_HINTS } from "../channels/channel-constants.ts";

/** Events in the log that belong to no request. The console has a sentence for each in every language. */
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
  "alerts-given-up",
  "models-updated",
  "channel-test-passed",
  "channel-test-failed",
  "channel-restocked",
  "channel-disabled",
  "channel-key-disabled",
  "channel-spent",
  "channel-asleep",
  "channel-balance-low",
  "channel-key-balance-low",
  "audit-broken",
] as const;

export const logEventSchema = z.object({
  code: z.enum(LOG_EVENTS),
  values: z.object({
    name: z.optional(z.string()),
    id: z.optional(z.int()),
    quota: z.optional(z.int()),
    from: z.optional(z.int()),
    to: z.optional(z.int()),
    /** End of its validity, in Unix seconds. */
    until: z.optional(z.int()),
    subject: z.optional(z.string()),
    recipient: z.optional(z.string()),
    tries: z.optional(z.int()),
    /** Of an update of models: channels, providers that listed theirs, providers that failed. */
    channels: z.optional(z.int()),
    listed: z.optional(z.int()),
    failed: z.optional(z.int()),
    /** Label of a channel type, and the number that should be enabled. */
    type: z.optional(z.string()),
    threshold: z.optional(z.number()),
    /** Use and limit: dollars, or seconds of a test. */
    used: z.optional(z.number()),
    limit: z.optional(z.number()),
    /** In the provider's currency. */
    balance: z.optional(z.number()),
    found: z.optional(z.int()),
    /** Of a key of a channel: its last four characters, and the number of its enabled keys. */
    ending: z.optional(z.string()),
    enabled: z.optional(z.int()),
    reason: z.optional(z.enum(CHANNEL_HINTS)),
    /** Quoted text of a provider, mail server, shop or the gateway, in its own language; not part of the sentence. */
    said: z.optional(z.string()),
  }),
});

export type LogEvent = z.infer<typeof logEventSchema>;
