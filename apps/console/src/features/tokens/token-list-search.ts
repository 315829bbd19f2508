import { z } from "zod";
import { listSearchSchema } from "../../lib/list-search.ts";

/** Orders of the server that the list offers, in the order of the menu. */
export const TOKEN_ORDERS = ["default", "remain_quota", "used_quota"] as const;

/** How the server orders the whole list. */
export type TokenListOrder = (typeof TOKEN_ORDERS)[number];

/** View state of the page, kept in its address. */
export const tokenListSearchSchema = listSearchSchema.extend({
  order: z.enum(TOKEN_ORDERS).optional().catch(undefined),
});
