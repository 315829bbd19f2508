import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { CHANNEL_HINTS } from "./channel-constants.ts";
import { reasonPartsSchema } from "./channel.ts";
import { idParamsSchema, idSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "../fields.ts";

/**
 * Automatic decisions. `slept`, `model-slept`: the provider limits the account or one model. `rested`: cooldown after
 * failures or a refused key.
 */
export const DECISION_KINDS = ["disabled", "enabled", "restocked", "slept", "model-slept", "rested"] as const;

export const DECISION_REASONS = [
  ...CHANNEL_HINTS,
  "rate-limited",
  "failing",
  "silent",
  "test-passed",
  "limit-raised",
  "stock-low",
] as const;

const DECISION_UNDOS = ["", "enable", "disable", "reserve", "wake"] as const;

export const channelDecisionSchema = z.object({
  id: z.int(),
  kind: z.enum(DECISION_KINDS),
  /** The provider's name of it; empty for the whole channel. */
  model: z.string(),
  code: z.enum(DECISION_REASONS),
  /** In English; a provider's text without secrets. */
  message: z.string(),
  parts: z.optional(reasonPartsSchema),
  first_at: unixSecondsSchema,
  last_at: unixSecondsSchema,
  times: z.int(),
  /** 0 for no fixed end. */
  until: unixSecondsSchema,
  undone_at: unixSecondsSchema,
  undo: z.enum(DECISION_UNDOS),
});

export type ChannelDecision = z.infer<typeof channelDecisionSchema>;

export const listChannelDecisions = defineCall({
  method: "GET",
  path: "/api/channel/:id/decisions",
  access: "admin",
  summary: "Lists the automatic decisions about a channel, newest first",
  params: idParamsSchema,
  query: z.object({ p: pageSchema, size: pageSizeSchema }),
  data: z.array(channelDecisionSchema),
});

export const undoChannelDecision = defineCall({
  method: "POST",
  path: "/api/channel/:id/decisions/:decision/undo",
  access: "admin",
  summary: "Undoes an automatic decision about a channel while it is in force",
  params: z.extend(idParamsSchema, { decision: idSchema }),
  data: z.null(),
});

export const wakeChannel = defineCall({
  method: "POST",
  path: "/api/channel/:id/wake",
  access: "admin",
  summary: "Ends the cooldown of a channel and of its models: the next request tries them again",
  params: idParamsSchema,
  data: z.null(),
});
