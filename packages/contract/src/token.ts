import * as z from "zod/mini";
import { isEmail } from "./accounts/email.ts";
import { budgetInputSchema, budgetSchema } from "./budget.ts";
import { defineCall } from "./call.ts";
import { LAST_SECOND } from "./constants.ts";
import { furtherLimitFields, MAX_LIMIT, minuteLimitFields } from "./limits/limits.ts";
import {
  idParamsSchema,
  idSchema,
  listQuery,
  quotaSchema,
  searchQuery,
  textSchema,
  unixSecondsSchema,
} from "./fields.ts";

/** States of a token. The list's toggle switches between enabled and disabled. */
export const TOKEN_STATUS = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** `expired_time` of a token that never expires. */
export const NEVER_EXPIRES = -1;

/** What a new token starts with in the form. Limits are per minute; `tpm_limit` counts thousands of tokens. */
export const TOKEN_DEFAULTS = {
  remain_quota: 500_000,
  rpm_limit: 600,
  dpm_limit: 60,
  tpm_limit: 60,
  validSeconds: 30 * 24 * 3600,
} as const;

/** Quota presets of the token form: dollars and the quota they set. */
export const TOKEN_QUOTA_PRESETS = [
  { dollars: 5, quota: 2_500_000 },
  { dollars: 10, quota: 5_000_000 },
  { dollars: 15, quota: 7_500_000 },
  { dollars: 20, quota: 10_000_000 },
  { dollars: 100, quota: 50_000_000 },
  { dollars: 120, quota: 60_000_000 },
] as const;

/** For how many seconds the form offers to let a key go on beside its new one: not at all, an hour, a day, a week. */
export const KEY_OVERLAPS = [0, 3_600, 86_400, 604_800] as const;

/** The largest values that a token takes. */
export const TOKEN_LIMITS = {
  nameLength: 64,
  /** Of `email` and `custom_contact`. */
  contactLength: 254,
  /** Of every rate limit. */
  perMinute: MAX_LIMIT,
  /** Of `recharge_quota`. */
  rechargeDollars: 1_000_000_000,
  /** Tokens that one call creates. */
  batch: 100,
} as const;

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
  ...minuteLimitFields,
  ...furtherLimitFields,
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
  /** How many tokens to create; above 1 they are named name-1, name-2 and so on. */
  batch_number: z._default(z.int().check(z.minimum(1), z.maximum(TOKEN_LIMITS.batch)), 1),
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

/** What a list of tokens can be ordered by; by default the newest come first. Unlimited tokens have the most left. */
export const TOKEN_ORDERS = [
  "name",
  "status",
  "used_quota",
  "remain_quota",
  "created_time",
  "expired_time",
  "accessed_time",
] as const;

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
