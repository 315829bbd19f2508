import * as z from "zod/mini";
import { USER_ORDERS, USER_LIMITS } from "./user-constants.ts";
import { budgetInputSchema } from "../budget.ts";
import { furtherLimitFields, minuteLimitFields } from "../limits/limits.ts";
import { defineCall } from "../call.ts";
import {
  idParamsSchema,
  idSchema,
  listQuery,
  quotaSchema,
  searchQuery,
  textSchema,
  unixSecondsSchema,
} from "../fields.ts";
import { tokenSchema } from "../token.ts";
import { displayNameSchema, newPasswordSchema, userSchema, usernameSchema } from "./user.ts";

const userFilters = {
  status: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2)), 0),
  role: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(100)), 0),
  group: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
};

const managedUserSchema = z.extend(userSchema, {
  created_at: z._default(unixSecondsSchema, 0),
  token_count: z._default(z.int(), 0),
  has_second_factor: z._default(z.boolean(), false),
  /** Last request with a token or the system access token, or last visit of the console; 0 for none, and for users whom the caller may not edit. */
  last_active_at: z._default(unixSecondsSchema, 0),
});

export type ManagedUser = z.infer<typeof managedUserSchema>;

export const listUsers = defineCall({
  method: "GET",
  path: "/api/user/",
  access: "admin",
  summary: "Lists one page of users",
  query: listQuery(USER_ORDERS, userFilters),
  data: z.array(managedUserSchema),
});

export const searchUsers = defineCall({
  method: "GET",
  path: "/api/user/search",
  access: "admin",
  summary: "Finds users by id, or by a keyword in username, display name or e-mail address",
  query: searchQuery(USER_ORDERS, userFilters),
  data: z.array(managedUserSchema),
});

export const getUser = defineCall({
  method: "GET",
  path: "/api/user/:id",
  access: "admin",
  summary: "Returns one user of a lower role",
  params: idParamsSchema,
  data: managedUserSchema,
});

export const createUserInputSchema = z.object({
  username: usernameSchema,
  display_name: z._default(displayNameSchema, ""),
  password: /* @__PURE__ */ newPasswordSchema.check(z.minLength(1, "Fill in the password.")),
});

export type CreateUserInput = z.input<typeof createUserInputSchema>;

export const createUser = defineCall({
  method: "POST",
  path: "/api/user/",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates a regular user with the quota of new users",
  body: createUserInputSchema,
  data: managedUserSchema,
});

export const updateUserInputSchema = z.object({
  id: idSchema,
  username: z.optional(usernameSchema),
  display_name: z.optional(displayNameSchema),
  password: z.optional(newPasswordSchema),
  group: z.optional(z.string().check(z.trim(), z.maxLength(USER_LIMITS.groupLength))),
  /** The new remaining quota. Without it the quota does not change, and running requests continue to spend it. */
  quota: z.optional(quotaSchema),
  ...z.partial(z.object({ ...minuteLimitFields, ...furtherLimitFields })).shape,
  budget: z.optional(budgetInputSchema),
});

export type UpdateUserInput = z.input<typeof updateUserInputSchema>;

export const updateUser = defineCall({
  method: "PUT",
  path: "/api/user/",
  access: "admin",
  summary: "Changes the named fields of a user of a lower role; manage changes role and status",
  body: updateUserInputSchema,
  data: managedUserSchema,
});

export const topUpUser = defineCall({
  method: "POST",
  path: "/api/topup",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Adds to the quota of a user of a lower role, as shops do after a payment",
  body: z.object({
    user_id: idSchema,
    quota: /* @__PURE__ */ quotaSchema.check(z.minimum(1, "Name a quota above 0.")),
    /** Text of the entry in the user's log; empty for a standard sentence. */
    remark: z._default(textSchema(USER_LIMITS.remarkLength), ""),
  }),
  data: z.null(),
});

export const USER_ACTIONS = ["promote", "demote", "delete", "disable", "enable"] as const;

export type UserAction = (typeof USER_ACTIONS)[number];

export const manageUser = defineCall({
  method: "POST",
  path: "/api/user/manage",
  access: "admin",
  summary: "Promotes, demotes, deletes, disables or enables a user of a lower role",
  body: z.object({
    username: z.string().check(z.trim(), z.minLength(1), z.maxLength(USER_LIMITS.nameLength)),
    action: z.enum(USER_ACTIONS),
  }),
  data: z.pick(userSchema, { role: true, status: true }),
});

const foreignTokenSchema = z.pick(tokenSchema, {
  id: true,
  name: true,
  status: true,
  created_time: true,
  accessed_time: true,
  expired_time: true,
  remain_quota: true,
  unlimited_quota: true,
  budget: true,
  used_quota: true,
});

export type ForeignToken = z.infer<typeof foreignTokenSchema>;

export const listTokensOfUser = defineCall({
  method: "GET",
  path: "/api/user/:id/token",
  access: "admin",
  summary: "Lists one page of the tokens of a user of a lower role, without their keys",
  params: idParamsSchema,
  query: listQuery([], {}),
  data: z.array(foreignTokenSchema),
});
