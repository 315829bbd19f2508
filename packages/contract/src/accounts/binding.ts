import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idSchema } from "../fields.ts";

/** Kinds of bindings, each with the field of the user that holds it. */
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
  summary: "Removes a binding of the caller's account, unless it is the only way to log in",
  params: z.object({ binding: bindingSchema }),
  data: z.null(),
});

export const countBindings = defineCall({
  method: "GET",
  path: "/api/option/bindings",
  access: "admin",
  summary: "Counts the accounts bound at each provider's address in use, by the option that holds the address",
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
  summary: "Removes a binding of a user of a lower role, and ends the user's sessions",
  params: z.object({ id: idSchema, binding: bindingSchema }),
  data: z.null(),
});
