import { z } from "zod";
import { defineCall } from "./call.ts";

/** How an option's text is read. Secrets are write-only: no call answers them. */
export type OptionKind = "flag" | "integer" | "number" | "text" | "address" | "secret" | "ratios" | "choice";

export interface OptionDefinition<Kind extends OptionKind = OptionKind> {
  readonly kind: Kind;
  /** Value until one is saved. */
  readonly default: string;
  readonly choices?: readonly string[];
}

const flag = (value: "true" | "false"): OptionDefinition<"flag"> => ({ kind: "flag", default: value });
const integer = (value: string): OptionDefinition<"integer"> => ({ kind: "integer", default: value });
const text = (value = ""): OptionDefinition<"text"> => ({ kind: "text", default: value });
const address: OptionDefinition<"address"> = { kind: "address", default: "" };
const secret: OptionDefinition<"secret"> = { kind: "secret", default: "" };
const ratios = (value: string): OptionDefinition<"ratios"> => ({ kind: "ratios", default: value });

/** Every option: a key/value pair of texts that administrators set while the gateway runs. */
export const OPTION_DEFINITIONS = {
  PasswordLoginEnabled: flag("true"),
  PasswordRegisterEnabled: flag("true"),
  RegisterEnabled: flag("true"),
  EmailVerificationEnabled: flag("false"),
  EmailDomainRestrictionEnabled: flag("false"),
  EmailDomainWhitelist: text(
    "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com",
  ),
  GitHubOAuthEnabled: flag("false"),
  GitHubClientId: text(),
  GitHubClientSecret: secret,
  LarkClientId: text(),
  LarkClientSecret: secret,
  WeChatAuthEnabled: flag("false"),
  WeChatServerAddress: address,
  WeChatServerToken: secret,
  WeChatAccountQRCodeImageURL: text(),
  TurnstileCheckEnabled: flag("false"),
  TurnstileSiteKey: text(),
  TurnstileSecretKey: secret,
  SMTPServer: text(),
  SMTPPort: integer("587"),
  SMTPAccount: text(),
  SMTPFrom: text(),
  SMTPToken: secret,
  MessagePusherAddress: address,
  MessagePusherToken: secret,
  ServerAddress: address,
  GlobalProxyEnabled: flag("false"),
  HttpProxy: address,
  Notice: text(),
  About: text(),
  HomePageContent: text(),
  Footer: text(),
  SystemName: text("One API"),
  Logo: text(),
  Theme: { kind: "choice", default: "default", choices: ["default", "berry", "air"] },
  TopUpLink: text(),
  ChatLink: text(),
  QuotaForNewUser: integer("0"),
  QuotaForInviter: integer("0"),
  QuotaForInvitee: integer("0"),
  QuotaRemindThreshold: integer("1000"),
  PreConsumedQuota: integer("500"),
  QuotaPerUnit: { kind: "number", default: "500000" },
  ModelRatio: ratios("{}"),
  CompletionRatio: ratios("{}"),
  GroupRatio: ratios('{"default":1,"vip":1,"svip":1}'),
  RetryTimes: integer("3"),
  PoolMode: { kind: "choice", default: "random", choices: ["random", "polling"] },
  QuotaForAddChannel: integer("0"),
  ChannelDisableThreshold: integer("5"),
  AutomaticDisableChannelEnabled: flag("false"),
  AutomaticEnableChannelEnabled: flag("false"),
  LogConsumeEnabled: flag("true"),
  DisplayInCurrencyEnabled: flag("true"),
  DisplayTokenStatEnabled: flag("true"),
  ApproximateTokenEnabled: flag("false"),
  AutoAddChannelEnabled: flag("false"),
  CacheChannelEnabled: flag("false"),
  GeminiNewEnabled: flag("false"),
  GeminiUploadImageEnabled: flag("false"),
  /** Only root changes this one; on, it narrows secrets, addresses, prices and HTML to root. */
  RootOnlySettings: flag("false"),
} as const satisfies Record<string, OptionDefinition>;

export type OptionKey = keyof typeof OPTION_DEFINITIONS;

/** True when the text names an option. */
export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTION_DEFINITIONS, key);
}

/** Every option's key. */
export const OPTION_KEYS: readonly OptionKey[] = Object.keys(OPTION_DEFINITIONS).filter(isOptionKey);

export const optionSchema = z.object({ key: z.string(), value: z.string() });

export type Option = z.infer<typeof optionSchema>;

export const listOptions = defineCall({
  method: "GET",
  path: "/api/option/",
  access: "admin",
  summary: "Every option but the secrets",
  data: z.array(optionSchema),
});

export const updateOption = defineCall({
  method: "PUT",
  path: "/api/option/",
  access: "admin",
  summary: "Sets one option",
  body: z.object({
    key: z.string().refine(isOptionKey, { message: "There is no such option." }),
    value: z.preprocess(
      (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
      z.string().max(1_000_000),
    ),
  }),
  data: z.null(),
});
