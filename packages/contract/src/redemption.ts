import * as z from "zod/mini";
import { REDEMPTION_DEFAULTS, REDEMPTION_LIMITS, REDEMPTION_ORDERS } from "./redemption-constants.ts";
import { defineCall } from "./call.ts";
import { idParamsSchema, idSchema, listQuery, quotaSchema, searchQuery, unixSecondsSchema } from "./fields.ts";

const nameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(REDEMPTION_LIMITS.nameLength));
/** A code without quota would be useless. */
const amountSchema = /* @__PURE__ */ quotaSchema.check(z.minimum(1));

const redemptionSchema = z.object({
  id: z.int(),
  name: z.string(),
  key: z.string(),
  status: z.int(),
  quota: quotaSchema,
  created_time: unixSecondsSchema,
  redeemed_time: unixSecondsSchema,
  /** Username; empty while unused, or if the account is deleted. */
  redeemed_by: z._default(z.string(), ""),
  /** Codes that were created together, of the same name, and how many of them are redeemed. */
  batch_count: z._default(z.int(), 1),
  batch_used: z._default(z.int(), 0),
});

export type Redemption = z.infer<typeof redemptionSchema>;

const redemptionFilters = {
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(3)), 0),
};

export const listRedemptions = defineCall({
  method: "GET",
  path: "/api/redemption/",
  access: "admin",
  summary: "Lists one page of redemption codes",
  query: listQuery(REDEMPTION_ORDERS, redemptionFilters),
  data: z.array(redemptionSchema),
});

export const searchRedemptions = defineCall({
  method: "GET",
  path: "/api/redemption/search",
  access: "admin",
  summary: "Finds redemption codes by id or the beginning of their name",
  query: searchQuery(REDEMPTION_ORDERS, redemptionFilters),
  data: z.array(redemptionSchema),
});

export const getRedemption = defineCall({
  method: "GET",
  path: "/api/redemption/:id",
  access: "admin",
  summary: "Returns one redemption code",
  params: idParamsSchema,
  data: redemptionSchema,
});

export const createRedemptionsInputSchema = z.object({
  name: nameSchema,
  quota: z._default(amountSchema, REDEMPTION_DEFAULTS.quota),
  count: z._default(
    z.int().check(z.minimum(REDEMPTION_LIMITS.leastCount), z.maximum(REDEMPTION_LIMITS.count)),
    REDEMPTION_DEFAULTS.count,
  ),
});

export type CreateRedemptionsInput = z.input<typeof createRedemptionsInputSchema>;

export const createRedemptions = defineCall({
  method: "POST",
  path: "/api/redemption/",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates redemption codes and returns them",
  body: createRedemptionsInputSchema,
  data: z.array(z.string()),
});

export const updateRedemptionInputSchema = z.object({
  id: idSchema,
  name: z.optional(nameSchema),
  quota: z.optional(amountSchema),
  status: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
});

export type UpdateRedemptionInput = z.input<typeof updateRedemptionInputSchema>;

export const updateRedemption = defineCall({
  method: "PUT",
  path: "/api/redemption/",
  access: "admin",
  summary: "Changes name and quota of a redemption code; with status_only only its status",
  query: z.object({ status_only: z.optional(z.string()) }),
  body: updateRedemptionInputSchema,
  data: redemptionSchema,
});

export const deleteRedemption = defineCall({
  method: "DELETE",
  path: "/api/redemption/:id/",
  access: "admin",
  summary: "Deletes a redemption code; quota that it added stays",
  params: idParamsSchema,
  data: z.null(),
});

export const redeemInputSchema = z.object({
  key: z.string().check(z.trim(), z.minLength(1, "Enter a redemption code."), z.maxLength(REDEMPTION_LIMITS.keyLength)),
});

export const redeemCode = defineCall({
  method: "POST",
  path: "/api/user/topup",
  access: "user",
  takesIdempotencyKey: true,
  summary: "Redeems a code: the own quota rises by what is answered",
  body: redeemInputSchema,
  data: quotaSchema,
});
