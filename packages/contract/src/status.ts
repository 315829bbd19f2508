import * as z from "zod/mini";
import { defineCall } from "./call.ts";

/** The public status: what the console needs before anybody is logged in. */
export const statusSchema = z.object({
  version: z.string(),
  start_time: z.int(),
  email_verification: z.boolean(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  lark_client_id: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  theme: z.string(),
  server_address: z.string(),
  top_up_link: z.string(),
  chat_link: z.string(),
  /** The site that ChatGPT Next Web links lead to; empty for the chat link. */
  chat_link_next_web: z.optional(z.string()),
  /** The site that LobeChat links lead to; empty for the project's own. */
  chat_link_lobe: z.optional(z.string()),
  /** Where the authorize pages are, and the human check's script. */
  github_address: z.optional(z.string()),
  lark_address: z.optional(z.string()),
  turnstile_address: z.optional(z.string()),
  /** Whether one can log in at an OpenID Connect provider, and what that is called. */
  oidc_login: z.optional(z.boolean()),
  oidc_label: z.optional(z.string()),
  /** True while one signs up by invitation only. */
  invitation_required: z.optional(z.boolean()),
  /** False while nobody can sign up. */
  register_enabled: z.optional(z.boolean()),
  /** False while the page of prices is switched off. */
  pricing_enabled: z.optional(z.boolean()),
  /** True while the status page is switched on. */
  status_page_enabled: z.optional(z.boolean()),
  /** True while owners of tokens may have the bodies of their requests kept. */
  keep_bodies: z.optional(z.boolean()),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
});

export type PublicStatus = z.infer<typeof statusSchema>;

export const getStatus = defineCall({
  method: "GET",
  path: "/api/status",
  access: "anyone",
  summary: "The public status of this gateway",
  data: statusSchema,
});

export const getNotice = defineCall({
  method: "GET",
  path: "/api/notice",
  access: "anyone",
  summary: "The notice, empty when there is none",
  data: z.string(),
});

export const getAbout = defineCall({
  method: "GET",
  path: "/api/about",
  access: "anyone",
  summary: "The about page's content: an address, Markdown or HTML",
  data: z.string(),
});

export const getHomePageContent = defineCall({
  method: "GET",
  path: "/api/home_page_content",
  access: "anyone",
  summary: "The home page's content: an address, Markdown or HTML; empty for the built-in welcome",
  data: z.string(),
});

export const getLatestRelease = defineCall({
  method: "GET",
  path: "/api/update",
  access: "admin",
  summary:
    "The latest release at the address that is set; an empty tag when this version is the latest. Its notes are anybody's text",
  data: z.object({
    tag_name: z.string(),
    /** Markdown. */
    body: z.string(),
    /** A page about the release; empty when there is none. */
    html_url: z.string(),
  }),
});
