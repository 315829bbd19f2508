import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { CHANNEL_LIMITS } from "./channel-constants.ts";

/**
 * Why a channel gets no requests for a model now; empty if it gets some. `no-weight`: weight 0 beside positive weights.
 */
export const SHARE_REASONS = [
  "",
  "lower-priority",
  "no-weight",
  "rate-limited",
  "failing",
  "refused",
  "path-not-served",
  "dearer",
  "slow",
] as const;

export const channelShareSchema = z.object({
  channel: z.int(),
  name: z.string(),
  /** Channel type; 0 from servers of the last release, and for a channel that is not stored yet. */
  type: z._default(z.int(), 0),
  priority: z.int(),
  weight: z.int(),
  /** 0 to 1; 0 has a reason. */
  share: z.number(),
  reason: z.string(),
  code: z._default(z.enum(SHARE_REASONS), ""),
  /** Seconds until the cooldown ends; 0 without one. */
  awake_in: z._default(z.int(), 0),
});

export type ChannelShare = z.infer<typeof channelShareSchema>;

export const listChannelShares = defineCall({
  method: "GET",
  path: "/api/channel/share",
  access: "admin",
  summary:
    "Returns the share of requests that each channel gets now for a model in a group; previews another priority and weight of one channel",
  query: z.object({
    model: z.string().check(z.trim(), z.minLength(1), z.maxLength(256)),
    group: z._default(z.string().check(z.trim(), z.maxLength(64)), "default"),
    /** Weighs this channel as if enabled with `priority` and `weight`; 0 for one that is not stored yet. */
    channel: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
    priority: z._default(
      z.coerce.number().check(z.int(), z.minimum(CHANNEL_LIMITS.lowestPriority), z.maximum(CHANNEL_LIMITS.priority)),
      0,
    ),
    weight: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(CHANNEL_LIMITS.weight)), 0),
  }),
  data: z.array(channelShareSchema),
});
