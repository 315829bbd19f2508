import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LAST_SECOND } from "../constants.ts";
import { idParamsSchema, idSchema, unixSecondsSchema } from "../fields.ts";
import { reasonPartsSchema } from "./channel.ts";
import { CHANNEL_HINTS, CHANNEL_LIMITS, KEY_STATUS } from "./channel-constants.ts";
import { keyListSchema } from "./channel-input.ts";

const channelKeySchema = z.object({
  id: z.int(),
  end: z.string(),
  status: z.int(),
  /** Relative share of the channel's requests; 0 beside positive weights is a last resort. */
  weight: z.int(),
  /** Why it was disabled automatically, in English, without secrets; else empty. */
  reason: z.string(),
  /** Of the same reason; absent from those of older versions. */
  code: z.optional(z.enum(CHANNEL_HINTS)),
  parts: z.optional(reasonPartsSchema),
  disabled_at: unixSecondsSchema,
  /** Time of the next probe while it is disabled automatically; 0 before the first. */
  probe_time: unixSecondsSchema,
  /** Known end of the key; 0 for none. */
  expires_at: unixSecondsSchema,
  /** End of its cooldown on this server; 0 without. */
  cooldown_until: unixSecondsSchema,
  /** The provider's last report, in its unit; 0 before the first. */
  balance: z._default(z.number(), 0),
  balance_updated_time: z._default(unixSecondsSchema, 0),
  /** Why the last request for the balance failed, without secrets; empty after a report. */
  balance_error: z._default(z.string(), ""),
  balance_error_time: z._default(unixSecondsSchema, 0),
});

export type ChannelKey = z.infer<typeof channelKeySchema>;

export const listChannelKeys = defineCall({
  method: "GET",
  path: "/api/channel/:id/keys",
  access: "admin",
  summary: "Lists the keys of a channel that holds several, without the keys themselves; none for a channel of one key",
  params: idParamsSchema,
  data: z.array(channelKeySchema),
});

export const addChannelKeys = defineCall({
  method: "POST",
  path: "/api/channel/:id/keys",
  access: "admin",
  summary: "Adds keys to a channel, beside its own; keys that it has already are left out",
  params: idParamsSchema,
  body: z.object({ keys: /* @__PURE__ */ keyListSchema.check(z.minLength(1)) }),
  data: z.array(channelKeySchema),
});

export const updateChannelKey = defineCall({
  method: "PUT",
  path: "/api/channel/:id/keys/:key",
  access: "admin",
  summary: "Enables or disables a key of a channel, or changes its weight or known end",
  params: z.extend(idParamsSchema, { key: idSchema }),
  body: z.object({
    status: z.optional(z.literal([KEY_STATUS.enabled, KEY_STATUS.disabled])),
    weight: z.optional(z.int().check(z.minimum(0), z.maximum(CHANNEL_LIMITS.weight))),
    expires_at: z.optional(unixSecondsSchema.check(z.minimum(0), z.maximum(LAST_SECOND))),
  }),
  data: z.array(channelKeySchema),
});

export const updateChannelKeyBalance = defineCall({
  method: "POST",
  path: "/api/channel/:id/keys/:key/balance",
  access: "admin",
  summary: "Fetches the balance of one key of a channel and stores it",
  params: z.extend(idParamsSchema, { key: idSchema }),
  data: z.array(channelKeySchema),
});

export const deleteChannelKey = defineCall({
  method: "DELETE",
  path: "/api/channel/:id/keys/:key",
  access: "admin",
  summary: "Removes a key from a channel; its last key stays",
  params: z.extend(idParamsSchema, { key: idSchema }),
  data: z.array(channelKeySchema),
});
