import * as z from "zod/mini";
import { NEVER_EXPIRES, TOKEN_DEFAULTS, TOKEN_LIMITS, TOKEN_ORDERS } from "./token-constants.ts";
import { isEmail } from "./accounts/email.ts";
import { budgetInputSchema, budgetSchema } from "./budget.ts";
import { defineCall } from "./call.ts";
import { LAST_SECOND } from "./constants.ts";
import {
  idParamsSchema,
  idSchema,
  listQuery,
  quotaSchema,
  searchQuery,
  textSchema,
  unixSecondsSchema,
} from "./fields.ts";

const limitPerMinuteSchema = z.int().check(z.minimum(0), z.maximum(TOKEN_LIMITS.perMinute));

const tokenFields = {
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the token name."), z.maxLength(TOKEN_LIMITS.nameLength)),
  expired_time: /* @__PURE__ */ unixSecondsSchema.check(z.minimum(-1)),
  /** In quota. What running requests have reserved beyond it cannot be taken: the answer to an edit has what is left indeed. */
  remain_quota: quotaSchema,
  unlimited_quota: z.boolean(),
  /** Comma-separated model names; empty is unrestricted. */
  models: textSchema(20_000),
  /** Comma-separated CIDR ranges, IPv4 and IPv6; empty is unrestricted. */
  subnet: textSchema(2_000),
  /** Relay requests per minute; 0 is no limit. */
  rpm_limit: limitPerMinuteSchema,
  /** Image ("drawing") requests per minute; 0 is no limit. */
  dpm_limit: limitPerMinuteSchema,
  /** Thousand tokens per minute, prompt and completion; 0 is no limit. */
  tpm_limit: limitPerMinuteSchema,
  /** Where balance and expiry mails go. */
  email: textSchema(TOKEN_LIMITS.contactLength),
  /** Whom refusals tell the caller to contact. */
  custom_contact: textSchema(TOKEN_LIMITS.contactLength),
  moderations_enable: z.boolean(),
};

/** What requests say and are answered is kept for some days, for the owner to look into; an administrator has to allow it. */
const keepBodiesSchema = z.boolean();

export const tokenSchema = z.object({
  ...tokenFields,
  id: z.int(),
  user_id: z.int(),
  /** 48 characters, without the prefix; answered to the owner only. */
  key: z.string(),
  /** Until when the key before this one goes on; 0 where none does. */
  old_key_ends_at: z._default(unixSecondsSchema, 0),
  status: z.int(),
  created_time: unixSecondsSchema,
  /** When the token was last used; 0 for never. */
  accessed_time: unixSecondsSchema,
  used_quota: quotaSchema,
  /** What the token may spend in each period beside its quota; null for no bound. */
  budget: z._default(z.nullable(budgetSchema), null),
  /** Prompts that moderation has flagged. */
  flagged_count: z._default(z.int(), 0),
  keep_bodies: z._default(keepBodiesSchema, false),
});

export type Token = z.infer<typeof tokenSchema>;

/** What the creator of a token needs to use it. */
const createdTokenSchema = z.pick(tokenSchema, { id: true, name: true, key: true });

export type CreatedToken = z.infer<typeof createdTokenSchema>;

/** An address that a mail can be sent to, or nothing; older tokens may have something else. */
const emailInputSchema = /* @__PURE__ */ tokenFields.email.check(
  z.refine((email) => email === "" || isEmail(email), {
    message: "email must be an e-mail address, or empty.",
  }),
);

/** Older tokens may have a later one. */
const expiryInputSchema = /* @__PURE__ */ tokenFields.expired_time.check(z.maximum(LAST_SECOND));

/** It stands in lists, mails and lines of the shop format; older tokens may have line breaks in theirs. */
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
  subnet: z._default(tokenFields.subnet, ""),
  rpm_limit: z._default(tokenFields.rpm_limit, TOKEN_DEFAULTS.rpm_limit),
  dpm_limit: z._default(tokenFields.dpm_limit, TOKEN_DEFAULTS.dpm_limit),
  tpm_limit: z._default(tokenFields.tpm_limit, TOKEN_DEFAULTS.tpm_limit),
  email: z._default(emailInputSchema, ""),
  custom_contact: z._default(tokenFields.custom_contact, ""),
  moderations_enable: z._default(tokenFields.moderations_enable, false),
  keep_bodies: z._default(keepBodiesSchema, false),
  budget: z._default(budgetInputSchema, null),
  /** How many tokens to create; above 1 they are named name-1, name-2 and so on. */
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
  /** Left out it stays as it is. */
  budget: z.optional(budgetInputSchema),
  /** Dollars added to the remaining quota. */
  recharge_quota: z.optional(z.number().check(z.minimum(0), z.maximum(TOKEN_LIMITS.rechargeDollars))),
});

export type UpdateTokenInput = z.input<typeof updateTokenInputSchema>;

const tokenFilters = {
  /** As listed: 3 and 4 are found by expiry time and quota. Empty or 0 for all. */
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(4)), 0),
};

export const listTokens = defineCall({
  method: "GET",
  path: "/api/token/",
  access: "user",
  summary: "One page of the own tokens",
  query: listQuery(TOKEN_ORDERS, tokenFilters),
  data: z.array(tokenSchema),
});

export const searchTokens = defineCall({
  method: "GET",
  path: "/api/token/search",
  access: "user",
  summary: "The own tokens whose name begins with the keyword",
  query: searchQuery(TOKEN_ORDERS, tokenFilters),
  data: z.array(tokenSchema),
});

export const getToken = defineCall({
  method: "GET",
  path: "/api/token/:id",
  access: "user",
  summary: "One of the own tokens",
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
  summary: "Changes one of the own tokens; with status_only only its status",
  query: z.object({ status_only: z.optional(z.string()) }),
  body: updateTokenInputSchema,
  data: tokenSchema,
});

export const rollTokenKey = defineCall({
  method: "POST",
  path: "/api/token/:id/key",
  access: "user",
  summary: "Gives one of the own tokens a new key; the one before goes on for a while, any older one ends at once",
  params: idParamsSchema,
  body: z.object({
    /** Seconds until the present key ends; 0 ends it at once. */
    overlap_seconds: z._default(z.int().check(z.minimum(0), z.maximum(604_800)), 86_400),
  }),
  data: tokenSchema,
});

export const endOldTokenKey = defineCall({
  method: "DELETE",
  path: "/api/token/:id/old-key",
  access: "user",
  summary: "Ends the key before the present one of an own token at once",
  params: idParamsSchema,
  data: tokenSchema,
});

export const deleteToken = defineCall({
  method: "DELETE",
  path: "/api/token/:id/",
  access: "user",
  summary: "Deletes one of the own tokens",
  params: idParamsSchema,
  data: z.null(),
});

export const sendTokenAlert = defineCall({
  method: "POST",
  path: "/api/token/alert",
  access: "user",
  summary: "Sends the balance or expiry mail of one of the own tokens now",
  query: z.object({ alertType: z.enum(["balance", "expired"]), id: idSchema }),
  data: z.null(),
});
