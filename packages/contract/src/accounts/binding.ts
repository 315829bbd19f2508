import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idSchema } from "../fields.ts";

/** What can be bound to an account, and the field of the user that names it. */
export const BINDING_FIELDS = {
  email: "email",
  wechat: "wechat_id",
  github: "github_id",
  lark: "lark_id",
  oidc: "oidc_id",
} as const;

const BINDINGS = [
  "email",
  "wechat",
  "github",
  "lark",
  "oidc",
] as const satisfies readonly (keyof typeof BINDING_FIELDS)[];

export type Binding = (typeof BINDINGS)[number];

export const bindingSchema = z.enum(BINDINGS);

export const unbind = defineCall({
  method: "DELETE",
  path: "/api/user/self/binding/:binding",
  access: "user",
  summary: "Unbinds something from the own account, unless it is the last way in",
  params: z.object({ binding: bindingSchema }),
  data: z.null(),
});

export const countBindings = defineCall({
  method: "GET",
  path: "/api/option/bindings",
  access: "admin",
  summary: "How many accounts are bound at the address of each provider in use, by the option that has the address",
  data: z.object({
    GitHubAddress: z.int(),
    LarkAddress: z.int(),
    WeChatServerAddress: z.int(),
    OidcIssuer: z.int(),
  }),
});

export const clearBinding = defineCall({
  method: "DELETE",
  path: "/api/user/:id/binding/:binding",
  access: "admin",
  summary: "Unbinds something from the account of a user whose role is below the own, and ends the user's sessions",
  params: z.object({ id: idSchema, binding: bindingSchema }),
  data: z.null(),
});
