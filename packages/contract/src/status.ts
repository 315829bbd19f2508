import * as z from "zod/mini";
import { defineCall } from "./call.ts";

/** The public status: the console's data before a login. */
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
  chat_link_next_web: z.optional(z.string()),
  chat_link_lobe: z.optional(z.string()),
  /** Addresses of the authorize pages and of the human check's script. */
  github_address: z.optional(z.string()),
  lark_address: z.optional(z.string()),
  turnstile_address: z.optional(z.string()),
  oidc_login: z.optional(z.boolean()),
  oidc_label: z.optional(z.string()),
  invitation_required: z.optional(z.boolean()),
  register_enabled: z.optional(z.boolean()),
  /** False while no reset link can be mailed. */
  reset_enabled: z.optional(z.boolean()),
  pricing_enabled: z.optional(z.boolean()),
  status_page_enabled: z.optional(z.boolean()),
  keep_bodies: z.optional(z.boolean()),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
});

export type PublicStatus = z.infer<typeof statusSchema>;

export const getStatus = defineCall({
  method: "GET",
  path: "/api/status",
  access: "anyone",
  summary: "Returns the public status of this gateway",
  data: statusSchema,
});

export const getNotice = defineCall({
  method: "GET",
  path: "/api/notice",
  access: "anyone",
  summary: "Returns the notice; empty when there is none",
  data: z.string(),
});

export const getAbout = defineCall({
  method: "GET",
  path: "/api/about",
  access: "anyone",
  summary: "Returns the about page's content: an address, Markdown or HTML",
  data: z.string(),
});

export const getHomePageContent = defineCall({
  method: "GET",
  path: "/api/home_page_content",
  access: "anyone",
  summary: "Returns the home page's content: an address, Markdown or HTML; empty for the built-in page",
  data: z.string(),
});

export const getLatestRelease = defineCall({
  method: "GET",
  path: "/api/update",
  access: "admin",
  summary:
    "Returns the latest release at the configured address; an empty tag if this version is the latest. Its notes are untrusted text",
  data: z.object({
    tag_name: z.string(),
    body: z.string(),
    html_url: z.string(),
  }),
});
