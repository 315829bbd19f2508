import { z } from "zod";
import { listSearchSchema } from "../../lib/list/list-search.ts";

const filterFields = {
  status: z.coerce.number().int().min(1).max(5).optional().catch(undefined),
  type: z.coerce.number().int().min(1).optional().catch(undefined),
  group: z.string().trim().min(1).optional().catch(undefined),
};

/** What the list is narrowed down to; absent is everything. */
export const channelFiltersSchema = z.object(filterFields);

export type ChannelFilters = z.infer<typeof channelFiltersSchema>;

/** View state of the page, kept in its address. */
export const channelListSearchSchema = listSearchSchema.extend(filterFields);
