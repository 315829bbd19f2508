import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idsTextSchema, keywordSchema } from "../fields.ts";
import { channelShareSchema } from "./channel-share.ts";
import { MAX_BULK_CHANNELS } from "./channel-constants.ts";

export const MOST_MATRIX_MODELS = 50;

export const channelIdsTextSchema = idsTextSchema(MAX_BULK_CHANNELS, "channels");

const matrixModelSchema = z.object({
  model: z.string(),
  requests: z.int(),
  shares: z.array(channelShareSchema),
});

const channelMatrixSchema = z.object({
  models: z.array(matrixModelSchema),
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
    keyword: keywordSchema,
    without: z.optional(channelIdsTextSchema),
  }),
  data: channelMatrixSchema,
});
