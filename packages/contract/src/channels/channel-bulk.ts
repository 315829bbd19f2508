import * as z from "zod/mini";
import { MAX_BULK_CHANNELS } from "./channel-constants.ts";
import { defineCall } from "../call.ts";
import { channelFilters, tagsSchema, updateChannelInputSchema } from "./channel.ts";
import { idParamsSchema, idSchema, keywordSchema } from "../fields.ts";

/** What one call may set in many channels, where it is named. */
export const bulkFieldsSchema = z.object({
  ...z.pick(updateChannelInputSchema, { status: true, group: true, priority: true, weight: true, tags: true }).shape,
  /** Tags that the channels get beside their own, comma-separated. */
  add_tags: z.optional(tagsSchema),
  /** Tags that the channels lose, comma-separated. */
  remove_tags: z.optional(tagsSchema),
});

export type BulkFields = z.input<typeof bulkFieldsSchema>;

const idsSchema = z.array(idSchema).check(z.minLength(1), z.maxLength(MAX_BULK_CHANNELS));

/** What came of one channel among many. */
const bulkOutcomeSchema = z.object({
  id: z.int(),
  /** Empty where there is no such channel. */
  name: z.string(),
  /** Why nothing was done to it: a code of the closed list; empty when it went well. */
  code: z.string(),
  /** The same in English. */
  message: z.string(),
  /** What the message names. */
  values: z.optional(z.record(z.string(), z.string())),
});

const bulkChangeOutcomeSchema = z.extend(bulkOutcomeSchema, {
  /** The values that were changed, as they were: setting them again takes the change back. Absent when nothing changed. */
  before: z.optional(
    z.object({
      status: z.optional(z.int()),
      group: z.optional(z.string()),
      priority: z.optional(z.int()),
      weight: z.optional(z.int()),
      tags: z.optional(z.string()),
    }),
  ),
});

export type BulkChangeOutcome = z.infer<typeof bulkChangeOutcomeSchema>;
export type BulkOutcome = z.infer<typeof bulkOutcomeSchema>;

export const listChannelIds = defineCall({
  method: "GET",
  path: "/api/channel/ids",
  access: "admin",
  summary: "Ids of all channels that a search and filters leave, newest first",
  query: z.object({ keyword: keywordSchema, ...channelFilters }),
  data: z.array(z.int()),
});

export const listChannelTags = defineCall({
  method: "GET",
  path: "/api/channel/tags",
  access: "admin",
  summary: "The tags of all channels, with how many have each",
  data: z.array(z.object({ tag: z.string(), channels: z.int() })),
});

export const changeChannels = defineCall({
  method: "POST",
  path: "/api/channel/bulk/change",
  access: "admin",
  summary:
    "Sets state, group, priority, weight or tags of many channels; data has what came of each and what takes it back",
  body: z.object({
    /** Each sets the same in its channels; no channel stands twice. */
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
  summary: "Deletes many channels; data has what came of each",
  body: z.object({
    ids: /* @__PURE__ */ idsSchema.check(z.refine(hasNoRepeat, { message: "ids: name each channel once." })),
  }),
  data: z.array(bulkOutcomeSchema),
});

export const testSelectedChannels = defineCall({
  method: "POST",
  path: "/api/channel/test/selected",
  access: "admin",
  summary: "Starts a test of these channels in the background; how far it is tells the call for that of all channels",
  body: z.object({ ids: idsSchema }),
  data: z.null(),
});

export const copyChannel = defineCall({
  method: "POST",
  path: "/api/channel/:id/copy",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Makes a disabled copy of a channel, its key with it; data has the id of the copy",
  params: idParamsSchema,
  data: z.object({ id: z.int() }),
});

function hasNoRepeat(ids: readonly number[]): boolean {
  return ids.length <= MAX_BULK_CHANNELS && new Set(ids).size === ids.length;
}
