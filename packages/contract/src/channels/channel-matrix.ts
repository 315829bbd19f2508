import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { keywordSchema } from "../fields.ts";
import { channelShareSchema } from "./channel-share.ts";
import { MAX_BULK_CHANNELS } from "./channel-constants.ts";

export const MOST_MATRIX_MODELS = 50;

/** Comma-separated ids of channels. */
export const channelIdsTextSchema = z.string().check(
  z.regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/),
  z.refine((ids) => ids.split(",").length <= MAX_BULK_CHANNELS, {
    message: `ids: name at most ${MAX_BULK_CHANNELS} channels.`,
  }),
);

const matrixModelSchema = z.object({
  model: z.string(),
  /** Requests for it in the last 24 hours, by users of all groups. */
  requests: z.int(),
  /** Empty if no channel serves it. */
  shares: z.array(channelShareSchema),
});

const channelMatrixSchema = z.object({
  models: z.array(matrixModelSchema),
  /** Models that match, also those beyond the limit. */
  total: z.int(),
});

export type ChannelMatrix = z.infer<typeof channelMatrixSchema>;

export const getChannelMatrix = defineCall({
  method: "GET",
  path: "/api/channel/matrix",
  access: "admin",
  summary:
    "Returns the share of each enabled channel in the requests for a group's models, the most requested first; previews it without some channels",
  query: z.object({
    group: z._default(z.string().check(z.trim(), z.maxLength(64)), "default"),
    /** Models whose name contains it; empty for all. */
    keyword: keywordSchema,
    /** Channels that count as disabled. */
    without: z.optional(channelIdsTextSchema),
  }),
  data: channelMatrixSchema,
});
