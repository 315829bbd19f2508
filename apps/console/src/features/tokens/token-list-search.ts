import { listSearchSchema } from "../../lib/list-search.ts";

/** View state of the page, kept in its address. */
export const tokenListSearchSchema = listSearchSchema.extend({});
