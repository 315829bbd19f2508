import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { CHANNEL_HINTS } from "./channel-constants.ts";
import { reasonPartsSchema } from "./channel.ts";
import { idParamsSchema, idSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "../fields.ts";

/**
 * What the gateway decides about channels by itself. `slept`: the provider limits the account; `model-slept`: it limits one model, or is silent
 * for it; `rested`: not asked for some seconds, after failures in a row or a refused key.
 */
export const DECISION_KINDS = ["disabled", "enabled", "restocked", "slept", "model-slept", "rested"] as const;

/** Why: what stands against a channel, or what speaks for it. */
export const DECISION_REASONS = [
  ...CHANNEL_HINTS,
  "rate-limited",
  "failing",
  "silent",
  "test-passed",
  "limit-raised",
  "stock-low",
] as const;

/** What takes a decision back; empty when something else has happened since, or when it is over. */
const DECISION_UNDOS = ["", "enable", "disable", "reserve", "wake"] as const;

export const channelDecisionSchema = z.object({
  id: z.int(),
  kind: z.enum(DECISION_KINDS),
  /** By the provider's name; empty for the whole channel. */
  model: z.string(),
  code: z.enum(DECISION_REASONS),
  /** In English; a provider's own words without secrets. */
  message: z.string(),
  parts: z.optional(reasonPartsSchema),
  /** The first and the last of `times` within an hour. */
  first_at: unixSecondsSchema,
  last_at: unixSecondsSchema,
  times: z.int(),
  /** 0 for until something else happens. */
  until: unixSecondsSchema,
  /** 0 while nobody has taken it back. */
  undone_at: unixSecondsSchema,
  undo: z.enum(DECISION_UNDOS),
});

export type ChannelDecision = z.infer<typeof channelDecisionSchema>;

export const listChannelDecisions = defineCall({
  method: "GET",
  path: "/api/channel/:id/decisions",
  access: "admin",
  summary: "What the gateway decided about a channel by itself, newest first",
  params: idParamsSchema,
  query: z.object({ p: pageSchema, size: pageSizeSchema }),
  data: z.array(channelDecisionSchema),
});

export const undoChannelDecision = defineCall({
  method: "POST",
  path: "/api/channel/:id/decisions/:decision/undo",
  access: "admin",
  summary: "Takes back what the gateway decided about a channel, while it holds",
  params: z.extend(idParamsSchema, { decision: idSchema }),
  data: z.null(),
});

export const wakeChannel = defineCall({
  method: "POST",
  path: "/api/channel/:id/wake",
  access: "admin",
  summary: "Ends the sleep of a channel and of its models: the next request tries them again",
  params: idParamsSchema,
  data: z.null(),
});
