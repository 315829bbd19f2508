import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { channelIdsTextSchema } from "./channel-matrix.ts";

export const MOST_NAMED_MODELS = 20;

const channelEffectSchema = z.object({
  /** Models that no other enabled channel serves, or not in every group. */
  lost: z.int(),
  models: z.array(
    z.object({
      model: z.string(),
      groups: z.array(z.string()),
      /** True if other channels serve it in other groups. */
      is_partly: z.boolean(),
    }),
  ),
  /** Users who sent requests for these models to the channels in the last 24 hours; null without a log store. */
  users: z.nullable(z.int()),
});

export type ChannelEffect = z.infer<typeof channelEffectSchema>;

export const foreseeChannelsOff = defineCall({
  method: "GET",
  path: "/api/channel/effect",
  access: "admin",
  summary: "Returns which models would have no channel without these channels, and how many users used them",
  query: z.object({ ids: channelIdsTextSchema }),
  data: channelEffectSchema,
});
