import { z } from "zod";
import { listSearchSchema } from "../../lib/list/list-search.ts";

const filterFields = { status: z.coerce.number().int().min(1).max(4).optional().catch(undefined) };

/** What the list is narrowed down to; absent is everything. */
export const tokenFiltersSchema = z.object(filterFields);

export type TokenFilters = z.infer<typeof tokenFiltersSchema>;

/** View state of the page, kept in its address. */
export const tokenListSearchSchema = listSearchSchema.extend(filterFields);
