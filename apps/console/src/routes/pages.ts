import type { ReactNode } from "react";
import type { Namespace } from "../lib/i18n/text-keys.ts";
import type { PageWithQueries } from "./page-queries.ts";

/**
 * Required viewer of a page. `visitor`: not logged in. `admin` pages explain themselves to others instead of
 * redirecting.
 */
type PageAccess = "open" | "visitor" | "user" | "admin";

export interface PageDefinition {
  access: PageAccess;
  load: () => Promise<{ default: () => ReactNode }>;
  texts?: readonly Namespace[];
  /** The data that the page shows first, which loads beside its code. */
  queries?: PageWithQueries;
}

// Pages that create a row, and that edit it.
const CHANNEL_FORM = {
  access: "admin",
  load: () => import("../features/channels/channel-form-page.tsx"),
  queries: "channelForm",
  texts: ["channel-form", "channel-shares", "channels", "refusals"],
} as const;

const KEY_FORM = {
  access: "admin",
  load: () => import("../features/management-keys/key-form-page.tsx"),
  queries: "managementKey",
  texts: ["management-keys", "refusals"],
} as const;

const RECEIVER_FORM = {
  access: "admin",
  load: () => import("../features/notifications/receivers/receiver-form-page.tsx"),
  queries: "receiver",
  texts: ["notifications", "refusals"],
} as const;

const REDEMPTION_FORM = {
  access: "admin",
  load: () => import("../features/redemptions/redemption-form-page.tsx"),
  queries: "redemption",
  texts: ["redemptions", "refusals", "tokens"],
} as const;

const TOKEN_FORM = {
  access: "user",
  load: () => import("../features/tokens/token-form-page.tsx"),
  queries: "tokenForm",
  texts: ["tokens", "budgets", "limits", "refusals"],
} as const;

const USER_FORM = {
  access: "admin",
  load: () => import("../features/users/user-form-page.tsx"),
  queries: "userForm",
  texts: ["users", "budgets", "limits", "refusals"],
} as const;

/** Pages by the path of their route, but for the login, which comes with the shell. */
export const PAGES = {
  "/": {
    access: "open",
    load: () => import("../features/home/home-page.tsx"),
    queries: "home",
    texts: ["home"],
  },
  "/about": {
    access: "open",
    load: () => import("../features/about/about-page.tsx"),
    queries: "about",
    texts: ["about"],
  },
  "/audit": {
    access: "admin",
    load: () => import("../features/audit/audit-page.tsx"),
    queries: "audit",
    texts: ["audit", "budgets", "channel-reasons", "channels", "logs", "redemptions", "tokens", "users"],
  },
  "/channel": {
    access: "admin",
    load: () => import("../features/channels/channel-list-page.tsx"),
    queries: "channels",
    texts: ["channels"],
  },
  "/channel/$id": {
    access: "admin",
    load: () => import("../features/channel-page/channel-page.tsx"),
    queries: "channel",
    texts: ["channel-page", "channel-reasons", "channels", "logs"],
  },
  "/channel/add": CHANNEL_FORM,
  "/channel/edit/$id": CHANNEL_FORM,
  "/channel/matrix": {
    access: "admin",
    load: () => import("../features/channels/matrix/matrix-page.tsx"),
    queries: "channelMatrix",
    texts: ["channel-matrix", "channel-shares", "channel-effect", "channel-bulk"],
  },
  "/chat": { access: "open", load: () => import("../features/chat/chat-page.tsx"), texts: ["chat"] },
  "/dashboard": {
    access: "user",
    load: () => import("../features/dashboard/dashboard-page.tsx"),
    queries: "dashboard",
    texts: ["dashboard", "channel-reasons"],
  },
  "/log": {
    access: "user",
    load: () => import("../features/logs/log-page.tsx"),
    queries: "logs",
    texts: ["logs", "channel-reasons"],
  },
  "/management-keys": {
    access: "admin",
    load: () => import("../features/management-keys/key-list-page.tsx"),
    queries: "managementKeys",
    texts: ["management-keys"],
  },
  "/management-keys/add": KEY_FORM,
  "/management-keys/edit/$id": KEY_FORM,
  "/notifications": {
    access: "admin",
    load: () => import("../features/notifications/receivers/receiver-list-page.tsx"),
    queries: "receivers",
    texts: ["notifications"],
  },
  "/notifications/add": RECEIVER_FORM,
  "/notifications/deliveries": {
    access: "admin",
    load: () => import("../features/notifications/deliveries/delivery-list-page.tsx"),
    queries: "deliveries",
    texts: ["notifications"],
  },
  "/notifications/edit/$id": RECEIVER_FORM,
  "/oauth/github": {
    access: "open",
    load: () => import("../features/oauth/github-callback-page.tsx"),
    texts: ["registration"],
  },
  "/oauth/lark": {
    access: "open",
    load: () => import("../features/oauth/lark-callback-page.tsx"),
    texts: ["registration"],
  },
  "/oauth/oidc": {
    access: "open",
    load: () => import("../features/oauth/oidc-callback-page.tsx"),
    texts: ["registration"],
  },
  "/playground": {
    access: "user",
    load: () => import("../features/playground/playground-page.tsx"),
    queries: "chat",
    texts: ["playground"],
  },
  "/pricing": {
    access: "open",
    load: () => import("../features/pricing/pricing-page.tsx"),
    queries: "prices",
    texts: ["pricing"],
  },
  "/recipes": {
    access: "user",
    load: () => import("../features/recipes/recipes-page.tsx"),
    queries: "recipes",
    texts: ["recipes", "playground"],
  },
  "/redemption": {
    access: "admin",
    load: () => import("../features/redemptions/redemption-list-page.tsx"),
    queries: "redemptions",
    texts: ["redemptions"],
  },
  "/redemption/add": REDEMPTION_FORM,
  "/redemption/edit/$id": REDEMPTION_FORM,
  "/register": {
    access: "visitor",
    load: () => import("../features/register/register-page.tsx"),
    queries: "registration",
    texts: ["registration"],
  },
  "/reset": { access: "open", load: () => import("../features/reset/reset-request-page.tsx"), texts: ["registration"] },
  "/setting": {
    access: "user",
    load: () => import("../features/settings/settings-page.tsx"),
    queries: "settings",
    texts: ["settings", "registration", "security"],
  },
  "/setting/ratios": {
    access: "admin",
    load: () => import("../features/settings/operation/ratios/ratios-page.tsx"),
    queries: "ratios",
    texts: ["settings"],
  },
  "/status": {
    access: "open",
    load: () => import("../features/status-page/status-page.tsx"),
    queries: "status",
    texts: ["status-page"],
  },
  "/system": {
    access: "admin",
    load: () => import("../features/system/system-page.tsx"),
    queries: "system",
    texts: ["system"],
  },
  "/token": {
    access: "user",
    load: () => import("../features/tokens/token-list-page.tsx"),
    queries: "tokens",
    texts: ["tokens", "budgets", "limits"],
  },
  "/token/add": TOKEN_FORM,
  "/token/edit/$id": TOKEN_FORM,
  "/topup": {
    access: "user",
    load: () => import("../features/topup/topup-page.tsx"),
    queries: "topup",
    texts: ["topup"],
  },
  "/user": {
    access: "admin",
    load: () => import("../features/users/user-list-page.tsx"),
    queries: "users",
    texts: ["users", "budgets"],
  },
  "/user/$id": {
    access: "admin",
    load: () => import("../features/user-page/user-page.tsx"),
    queries: "user",
    texts: ["user-page", "users", "dashboard", "tokens", "logs", "channel-reasons", "limits", "budgets"],
  },
  "/user/add": USER_FORM,
  "/user/edit": {
    access: "user",
    load: () => import("../features/profile/edit-self-page.tsx"),
    queries: "profile",
    texts: ["profile", "limits", "refusals"],
  },
  "/user/edit/$id": USER_FORM,
  "/user/invitation": {
    access: "admin",
    load: () => import("../features/invitations/invitation-list-page.tsx"),
    queries: "invitations",
    texts: ["invitations"],
  },
  "/user/invitation/add": {
    access: "admin",
    load: () => import("../features/invitations/invitation-form-page.tsx"),
    queries: "invitationForm",
    texts: ["invitations", "refusals", "tokens"],
  },
  "/user/reset": {
    access: "open",
    load: () => import("../features/reset/reset-confirm-page.tsx"),
    texts: ["registration"],
  },
  "/what-if": {
    access: "admin",
    load: () => import("../features/what-if/what-if-page.tsx"),
    queries: "whatIf",
    texts: ["what-if", "channel-form"],
  },
} satisfies Record<string, PageDefinition>;
