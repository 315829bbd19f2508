import * as z from "zod/mini";
import { MAX_BULK_CHANNELS } from "./channel-constants.ts";
import { defineCall } from "../call.ts";
import { channelFilters, channelSearchFields } from "./channel.ts";
import { tagsSchema, updateChannelInputSchema } from "./channel-input.ts";
import { idParamsSchema, idSchema, keywordSchema } from "../fields.ts";

export const bulkFieldsSchema = z.object({
  ...z.pick(updateChannelInputSchema, {
    status: true,
    group: true,
    priority: true,
    weight: true,
    tags: true,
    test_minutes: true,
    balance_minutes: true,
    models_minutes: true,
  }).shape,
  add_tags: z.optional(tagsSchema),
  remove_tags: z.optional(tagsSchema),
});

export type BulkFields = z.input<typeof bulkFieldsSchema>;

const idsSchema = z.array(idSchema).check(z.minLength(1), z.maxLength(MAX_BULK_CHANNELS));

const bulkOutcomeSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Error code of the closed list; empty on success. */
  code: z.string(),
  message: z.string(),
  values: z.optional(z.record(z.string(), z.string())),
});

const bulkChangeOutcomeSchema = z.extend(bulkOutcomeSchema, {
  /** The previous values: setting them again undoes the change. Absent if nothing changed. */
  before: z.optional(
    z.object({
      status: z.optional(z.int()),
      group: z.optional(z.string()),
      priority: z.optional(z.int()),
      weight: z.optional(z.int()),
      tags: z.optional(z.string()),
      test_minutes: z.optional(z.int()),
      balance_minutes: z.optional(z.int()),
      models_minutes: z.optional(z.int()),
    }),
  ),
});

export type BulkChangeOutcome = z.infer<typeof bulkChangeOutcomeSchema>;
export type BulkOutcome = z.infer<typeof bulkOutcomeSchema>;

export const listChannelIds = defineCall({
  method: "GET",
  path: "/api/channel/ids",
  access: "admin",
  summary: "Lists the ids of all channels that match a search and filters, newest first",
  query: z.object({ keyword: keywordSchema, ...channelFilters, ...channelSearchFields }),
  data: z.array(z.int()),
});

export const listChannelTags = defineCall({
  method: "GET",
  path: "/api/channel/tags",
  access: "admin",
  summary: "Lists the tags of all channels, each with its number of channels",
  data: z.array(z.object({ tag: z.string(), channels: z.int() })),
});

export const changeChannels = defineCall({
  method: "POST",
  path: "/api/channel/bulk/change",
  access: "admin",
  summary:
    "Sets state, group, priority, weight, tags or intervals of checks of many channels; data has the result for each and the values to undo it",
  body: z.object({
    /** Each sets the same values in its channels. A channel may appear once. */
    changes: z.array(z.object({ ids: idsSchema, set: bulkFieldsSchema })).check(
      z.minLength(1),
      z.maxLength(MAX_BULK_CHANNELS),
      z.refine((changes) => hasNoRepeat(changes.flatMap(({ ids }) => ids)), {
        message: `changes: name each channel once, and at most ${MAX_BULK_CHANNELS} of them.`,
      }),
    ),
  }),
  data: z.array(bulkChangeOutcomeSchema),
});

export const deleteChannels = defineCall({
  method: "POST",
  path: "/api/channel/bulk/delete",
  access: "admin",
  summary: "Deletes many channels; data has the result for each",
  body: z.object({
    ids: /* @__PURE__ */ idsSchema.check(z.refine(hasNoRepeat, { message: "ids: name each channel once." })),
  }),
  data: z.array(bulkOutcomeSchema),
});

export const testSelectedChannels = defineCall({
  method: "POST",
  path: "/api/channel/test/selected",
  access: "admin",
  summary: "Starts a test of these channels in the background; /api/channel/test/progress has the result",
  body: z.object({ ids: idsSchema }),
  data: z.null(),
});

export const copyChannel = defineCall({
  method: "POST",
  path: "/api/channel/:id/copy",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates a disabled copy of a channel with its key; data has the id of the copy",
  params: idParamsSchema,
  data: z.object({ id: z.int() }),
});

function hasNoRepeat(ids: readonly number[]): boolean {
  return ids.length <= MAX_BULK_CHANNELS && new Set(ids).size === ids.length;
}
