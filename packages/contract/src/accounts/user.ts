import * as z from "zod/mini";
import { bindingSchema } from "./binding.ts";
import { budgetSchema } from "../budget.ts";
import { furtherLimitFields, minuteLimitFields } from "../limits/limits.ts";
import { defineCall } from "../call.ts";
import { groupBudgetSchema } from "../limits/group-budget.ts";
import { MIN_PASSWORD_LENGTH, USER_LIMITS } from "./user-constants.ts";
import { quotaSchema, turnstileSchema, unixSecondsSchema } from "../fields.ts";

export const userSchema = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  email: z.string(),
  /** Comma-separated; empty means default. */
  group: z.string(),
  quota: quotaSchema,
  used_quota: quotaSchema,
  budget: z._default(z.nullable(budgetSchema), null),
  /** Rate limits of all tokens of the user together; 0 for those of the group. */
  ...minuteLimitFields,
  ...furtherLimitFields,
  request_count: z.int(),
  role: z.int(),
  status: z.int(),
  github_id: z.string(),
  wechat_id: z.string(),
  lark_id: z.string(),
  oidc_id: z._default(z.string(), ""),
  /** Bindings at an earlier address of the provider. They cannot log in and need that address to be valid. */
  outdated_bindings: z._default(z.array(bindingSchema), []),
});

export type User = z.infer<typeof userSchema>;

/** The user in the answer of a login; the browser stores it for display only. */
export const sessionUserSchema = z.extend(
  z.pick(userSchema, { id: true, username: true, display_name: true, role: true, status: true }),
  {
    default_password: z.optional(z.boolean()),
  },
);

export type SessionUser = z.infer<typeof sessionUserSchema>;

export const loginInputSchema = z.object({
  /** Username or e-mail address. */
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(USER_LIMITS.passwordLength)),
});

export type LoginInput = z.infer<typeof loginInputSchema>;

export const login = defineCall({
  method: "POST",
  path: "/api/user/login",
  access: "anyone",
  summary: "Starts a session; the answer sets the cookie",
  /** Required after a few failures if the human check is on. */
  query: z.object({ turnstile: turnstileSchema }),
  body: loginInputSchema,
  data: sessionUserSchema,
});

export const logout = defineCall({
  method: "GET",
  path: "/api/user/logout",
  access: "anyone",
  changesState: true,
  summary: "Ends the session, if there is one",
  data: z.null(),
});

export const getSelf = defineCall({
  method: "GET",
  path: "/api/user/self",
  access: "user",
  summary: "Returns the caller's user, and the group budget that counts for its requests",
  data: z.extend(userSchema, {
    /** That of the first of the user's groups with a budget. */
    group_budget: z._default(z.nullable(groupBudgetSchema), null),
  }),
});

/** A new password; empty for no change where that is allowed. */
export const newPasswordSchema = z.string().check(
  z.maxLength(USER_LIMITS.passwordLength),
  z.refine((password) => password === "" || password.length >= MIN_PASSWORD_LENGTH, {
    message: `Password length must not be less than ${MIN_PASSWORD_LENGTH} characters!`,
    params: { problem: "too-short", limit: MIN_PASSWORD_LENGTH },
  }),
);

export const usernameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, "Fill in the username."), z.maxLength(USER_LIMITS.nameLength));

export const displayNameSchema = z.string().check(z.trim(), z.maxLength(USER_LIMITS.nameLength));

const selfInputSchema = z.object({
  username: z.optional(z.string().check(z.trim(), z.maxLength(USER_LIMITS.nameLength))),
  display_name: z.optional(displayNameSchema),
  password: z.optional(newPasswordSchema),
});

/** Input of the profile form. It shows the username, so a missing one is an error. */
export const profileSchema = z.extend(selfInputSchema, { username: usernameSchema });

export type SelfInput = z.infer<typeof selfInputSchema>;

export const updateSelf = defineCall({
  method: "PUT",
  path: "/api/user/self",
  access: "user",
  summary: "Changes the caller's user; empty fields do not change",
  body: selfInputSchema,
  data: z.null(),
});

export const getAvailableModels = defineCall({
  method: "GET",
  path: "/api/user/available_models",
  access: "user",
  summary: "Lists the models and aliases that the caller's group can call now, sorted",
  data: z.array(z.string()),
});

export const listOwnGroups = defineCall({
  method: "GET",
  path: "/api/user/groups",
  access: "user",
  summary: "Lists the caller's groups in order, each with the factor of its prices",
  data: z.array(z.object({ group: z.string(), ratio: z.number() })),
});

export const createAccessToken = defineCall({
  method: "GET",
  path: "/api/user/token",
  access: "user",
  changesState: true,
  summary: "Replaces the system access token (for this API, not for models) and returns the new one",
  data: z.string(),
});

export const getAccessTokenState = defineCall({
  method: "GET",
  path: "/api/user/token/state",
  access: "user",
  summary: "Returns whether a system access token exists, when it was created and last used; never the token",
  data: z.object({
    is_set: z.boolean(),
    created_at: unixSecondsSchema,
    last_used_at: unixSecondsSchema,
  }),
});

export const revokeAccessToken = defineCall({
  method: "DELETE",
  path: "/api/user/token",
  access: "user",
  summary: "Ends the system access token",
  data: z.null(),
});

export const listGroups = defineCall({
  method: "GET",
  path: "/api/group/",
  access: "admin",
  summary: "Lists the names of the user groups",
  data: z.array(z.string()),
});
