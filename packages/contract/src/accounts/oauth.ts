import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { sessionUserSchema } from "./user.ts";

/** Providers that redirect to the console with a code and a state. */
const OAUTH_PROVIDERS = ["github", "lark"] as const;

export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/** `message` of an answer that bound an account instead of logging in. */
export const BIND_MESSAGE = "bind";

export const oauthCodeSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(1_024));
const stateSchema = z._default(z.string().check(z.maxLength(128)), "");
const invitationSchema = z._default(z.string().check(z.trim(), z.maxLength(64)), "");

export const getOAuthState = defineCall({
  method: "GET",
  path: "/api/oauth/state",
  access: "anyone",
  changesState: true,
  summary:
    "Creates a state for one login or, with a session, one binding at a provider; valid once, in this browser, for ten minutes",
  query: z.object({
    /** Provider that the state is for; empty for any. */
    provider: z._default(z.enum(["", ...OAUTH_PROVIDERS]), ""),
    invitation: invitationSchema,
  }),
  data: z.string(),
});

export const enterWithGitHub = defineCall({
  method: "GET",
  path: "/api/oauth/github",
  access: "anyone",
  changesState: true,
  summary: "Logs in or signs up with GitHub, or binds it: the message is then `bind`",
  query: z.object({ code: oauthCodeSchema, state: stateSchema }),
  data: z.nullable(sessionUserSchema),
});

export const enterWithLark = defineCall({
  method: "GET",
  path: "/api/oauth/lark",
  access: "anyone",
  changesState: true,
  summary: "Logs in or signs up with Lark, or binds it: the message is then `bind`",
  query: z.object({ code: oauthCodeSchema, state: stateSchema }),
  data: z.nullable(sessionUserSchema),
});

export const beginOidc = defineCall({
  method: "POST",
  path: "/api/oauth/oidc/begin",
  access: "anyone",
  summary:
    "Begins one login or, with a session, one binding at the OpenID Connect provider, and returns the address to open",
  body: z.object({ invitation: invitationSchema }),
  data: z.string(),
});

export const enterWithOidc = defineCall({
  method: "GET",
  path: "/api/oauth/oidc",
  access: "anyone",
  changesState: true,
  summary: "Logs in or signs up with OpenID Connect, or binds it: the message is then `bind`",
  query: z.object({
    code: oauthCodeSchema,
    state: stateSchema,
    /** Issuer of the code (RFC 9207); empty if the provider sends none. */
    iss: z._default(z.string().check(z.maxLength(1_024)), ""),
  }),
  data: z.nullable(sessionUserSchema),
});

export const enterWithWeChat = defineCall({
  method: "GET",
  path: "/api/oauth/wechat",
  access: "anyone",
  changesState: true,
  summary: "Logs in or signs up with the code that the WeChat account sent",
  query: z.object({ code: oauthCodeSchema, invitation: invitationSchema }),
  data: sessionUserSchema,
});

export const bindWeChat = defineCall({
  method: "GET",
  path: "/api/oauth/wechat/bind",
  access: "user",
  changesState: true,
  summary: "Binds the WeChat account that sent the code to the own account",
  query: z.object({ code: oauthCodeSchema }),
  data: z.null(),
});
