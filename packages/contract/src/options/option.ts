import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { MAX_LINE_LENGTH, MAX_RATIOS_LENGTH } from "./define-option.ts";

export const optionSchema = z.object({ key: z.string(), value: z.string() });

export type Option = z.infer<typeof optionSchema>;

export const listOptions = defineCall({
  method: "GET",
  path: "/api/option/",
  access: "admin",
  summary: "Lists all options except secrets, each with its default",
  data: z.array(z.extend(optionSchema, { default: z.optional(z.string()) })),
});

export const listSetSecrets = defineCall({
  method: "GET",
  path: "/api/option/secrets",
  access: "admin",
  summary: "Lists the names of the secret options that are set, never their values",
  data: z.array(z.string()),
});

export const sendTestMail = defineCall({
  method: "POST",
  path: "/api/option/test_mail",
  access: "admin",
  summary: "Sends a test mail with the saved SMTP settings",
  body: z.object({ email: z.pipe(z.string().check(z.trim(), z.maxLength(254)), z.email()) }),
  data: z.null(),
});

export const sendTestPush = defineCall({
  method: "POST",
  path: "/api/option/test_push",
  access: "admin",
  summary: "Sends a test message with the saved Message Pusher settings",
  data: z.null(),
});

export const DEFAULT_PROXY_TARGET = "https://api.openai.com/v1/models";

export const testProxy = defineCall({
  method: "POST",
  path: "/api/option/test_proxy",
  access: "admin",
  summary: "Tests the saved proxy by calling an address through it, also while it is switched off",
  body: z.object({
    /** Receives only a GET request without a key. */
    address: z._default(
      z.pipe(z.string().check(z.trim(), z.maxLength(MAX_LINE_LENGTH)), z.url({ protocol: /^https?$/ })),
      DEFAULT_PROXY_TARGET,
    ),
  }),
  data: z.object({
    /** The returned HTTP status; any proves that the proxy works. */
    status: z.int(),
    /** Seconds until the answer began. */
    time: z.number(),
    /** Host and port of the proxy. */
    proxy: z.string(),
  }),
});

export const updateOption = defineCall({
  method: "PUT",
  path: "/api/option/",
  access: "admin",
  summary: "Sets one option",
  body: z.object({
    key: z.string().check(z.maxLength(64)),
    value: z.pipe(
      z.transform((value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value)),
      z.string().check(z.maxLength(MAX_RATIOS_LENGTH)),
    ),
  }),
  data: z.null(),
});
