import * as z from "zod/mini";
import { NEVER_EXPIRES, TOKEN_DEFAULTS, TOKEN_LIMITS, TOKEN_ORDERS } from "./token-constants.ts";
import { isEmail } from "./accounts/email.ts";
import { budgetInputSchema, budgetSchema } from "./budget.ts";
import { defineCall } from "./call.ts";
import { LAST_SECOND } from "./constants.ts";
import { furtherLimitFields, minuteLimitFields } from "./limits/limits.ts";
import {
  idParamsSchema,
  idSchema,
  listQuery,
  quotaSchema,
  searchQuery,
  textSchema,
  unixSecondsSchema,
} from "./fields.ts";

const tokenFields = {
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the token name."), z.maxLength(TOKEN_LIMITS.nameLength)),
  expired_time: /* @__PURE__ */ unixSecondsSchema.check(z.minimum(-1)),
  /** In quota. Reservations of running requests cannot be taken: the answer to an edit has the actual remainder. */
  remain_quota: quotaSchema,
  unlimited_quota: z.boolean(),
  /** Comma-separated model names; empty is unrestricted. */
  models: textSchema(20_000),
  /** Comma-separated groups of the owner in the order in which they are tried; empty is the first that serves the model. */
  group: textSchema(TOKEN_LIMITS.groupLength),
  /** Comma-separated CIDR ranges, IPv4 and IPv6; empty is unrestricted. */
  subnet: textSchema(2_000),
  ...minuteLimitFields,
  ...furtherLimitFields,
  email: textSchema(TOKEN_LIMITS.contactLength),
  /** Contact that refusals name to the caller. */
  custom_contact: textSchema(TOKEN_LIMITS.contactLength),
  moderations_enable: z.boolean(),
};

/** Stores request and answer bodies for some days, for the owner to read; an administrator has to allow it. */
const keepBodiesSchema = z.boolean();

export const tokenSchema = z.object({
  ...tokenFields,
  id: z.int(),
  user_id: z.int(),
  /** 48 characters, without the prefix; returned to the owner only. */
  key: z.string(),
  old_key_ends_at: z._default(unixSecondsSchema, 0),
  status: z.int(),
  created_time: unixSecondsSchema,
  accessed_time: unixSecondsSchema,
  used_quota: quotaSchema,
  budget: z._default(z.nullable(budgetSchema), null),
  flagged_count: z._default(z.int(), 0),
  keep_bodies: z._default(keepBodiesSchema, false),
});

export type Token = z.infer<typeof tokenSchema>;

const createdTokenSchema = z.pick(tokenSchema, { id: true, name: true, key: true });

export type CreatedToken = z.infer<typeof createdTokenSchema>;

/** An e-mail address or empty; older tokens may have other texts. */
const emailInputSchema = /* @__PURE__ */ tokenFields.email.check(
  z.refine((email) => email === "" || isEmail(email), {
    message: "email must be an e-mail address, or empty.",
  }),
);

/** Older tokens may have a later one. */
const expiryInputSchema = /* @__PURE__ */ tokenFields.expired_time.check(z.maximum(LAST_SECOND));

/** Names appear in lists, mails and lines of the shop format; those of older tokens may have line breaks. */
const nameInputSchema = /* @__PURE__ */ tokenFields.name.check(
  z.refine((name) => !/[\p{Cc}\u2028\u2029]/u.test(name), {
    message: "name must be one line, without line breaks and other control characters.",
  }),
);

export const createTokenInputSchema = z.object({
  ...tokenFields,
  name: nameInputSchema,
  expired_time: z._default(expiryInputSchema, NEVER_EXPIRES),
  remain_quota: z._default(tokenFields.remain_quota, TOKEN_DEFAULTS.remain_quota),
  unlimited_quota: z._default(tokenFields.unlimited_quota, false),
  models: z._default(tokenFields.models, ""),
  group: z._default(tokenFields.group, ""),
  subnet: z._default(tokenFields.subnet, ""),
  rpm_limit: z._default(tokenFields.rpm_limit, TOKEN_DEFAULTS.rpm_limit),
  dpm_limit: z._default(tokenFields.dpm_limit, TOKEN_DEFAULTS.dpm_limit),
  tpm_limit: z._default(tokenFields.tpm_limit, TOKEN_DEFAULTS.tpm_limit),
  concurrent_limit: z._default(tokenFields.concurrent_limit, 0),
  requests_5h_limit: z._default(tokenFields.requests_5h_limit, 0),
  tokens_5h_limit: z._default(tokenFields.tokens_5h_limit, 0),
  requests_day_limit: z._default(tokenFields.requests_day_limit, 0),
  tokens_day_limit: z._default(tokenFields.tokens_day_limit, 0),
  email: z._default(emailInputSchema, ""),
  custom_contact: z._default(tokenFields.custom_contact, ""),
  moderations_enable: z._default(tokenFields.moderations_enable, false),
  keep_bodies: z._default(keepBodiesSchema, false),
  budget: z._default(budgetInputSchema, null),
  /** Above 1 they are named name-1, name-2 and so on. */
  batch_number: z._default(z.int().check(z.minimum(TOKEN_LIMITS.leastBatch), z.maximum(TOKEN_LIMITS.batch)), 1),
});

export type CreateTokenInput = z.input<typeof createTokenInputSchema>;

export const updateTokenInputSchema = z.object({
  ...z.partial(z.object(tokenFields)).shape,
  name: z.optional(nameInputSchema),
  expired_time: z.optional(expiryInputSchema),
  email: z.optional(emailInputSchema),
  keep_bodies: z.optional(keepBodiesSchema),
  id: idSchema,
  status: z.optional(z.int().check(z.minimum(1), z.maximum(4))),
  budget: z.optional(budgetInputSchema),
  /** Dollars added to the remaining quota. */
  recharge_quota: z.optional(z.number().check(z.minimum(0), z.maximum(TOKEN_LIMITS.rechargeDollars))),
});

export type UpdateTokenInput = z.input<typeof updateTokenInputSchema>;

const tokenFilters = {
  /** As listed: 3 and 4 are derived from expiry time and quota. Empty or 0 for all. */
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(4)), 0),
};

export const listTokens = defineCall({
  method: "GET",
  path: "/api/token/",
  access: "user",
  summary: "Lists one page of the caller's tokens",
  query: listQuery(TOKEN_ORDERS, tokenFilters),
  data: z.array(tokenSchema),
});

export const searchTokens = defineCall({
  method: "GET",
  path: "/api/token/search",
  access: "user",
  summary: "Finds the caller's tokens by the beginning of their name",
  query: searchQuery(TOKEN_ORDERS, tokenFilters),
  data: z.array(tokenSchema),
});

export const getToken = defineCall({
  method: "GET",
  path: "/api/token/:id",
  access: "user",
  summary: "Returns one of the caller's tokens",
  params: idParamsSchema,
  data: tokenSchema,
});

export const createToken = defineCall({
  method: "POST",
  path: "/api/token/",
  access: "user",
  takesIdempotencyKey: true,
  summary: "Creates one token, or a batch; data is the first, with the keys of all in `created`",
  body: createTokenInputSchema,
  data: z.extend(tokenSchema, { created: z._default(z.array(createdTokenSchema), []) }),
});

export const updateToken = defineCall({
  method: "PUT",
  path: "/api/token/",
  access: "user",
  takesIdempotencyKey: true,
  summary: "Changes one of the caller's tokens; with status_only only its status",
  query: z.object({ status_only: z.optional(z.string()) }),
  body: updateTokenInputSchema,
  data: tokenSchema,
});

export const rollTokenKey = defineCall({
  method: "POST",
  path: "/api/token/:id/key",
  access: "user",
  takesIdempotencyKey: true,
  summary:
    "Rotates the key of one of the caller's tokens; the previous key works for a while longer, any older one ends at once",
  params: idParamsSchema,
  body: z.object({
    /** Seconds until the present key ends; 0 for at once. */
    overlap_seconds: z._default(z.int().check(z.minimum(0), z.maximum(604_800)), 86_400),
  }),
  data: tokenSchema,
});

export const endOldTokenKey = defineCall({
  method: "DELETE",
  path: "/api/token/:id/old-key",
  access: "user",
  summary: "Ends the previous key of one of the caller's tokens at once",
  params: idParamsSchema,
  data: tokenSchema,
});

export const deleteToken = defineCall({
  method: "DELETE",
  path: "/api/token/:id/",
  access: "user",
  summary: "Deletes one of the caller's tokens",
  params: idParamsSchema,
  data: z.null(),
});

export const sendTokenAlert = defineCall({
  method: "POST",
  path: "/api/token/alert",
  access: "user",
  summary: "Sends the balance or expiry mail of one of the caller's tokens now",
  query: z.object({ alertType: z.enum(["balance", "expired"]), id: idSchema }),
  data: z.null(),
});
