import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { OPTION_RATIOS } from "./prices/ratios.ts";
import { PROXY_PROTOCOLS } from "./channels/channel-proxy.ts";

/** Secrets are write-only. A link is an address that is stored as typed. */
export type OptionKind =
  | "flag"
  | "integer"
  | "number"
  | "text"
  | "address"
  | "link"
  | "secret"
  | "ratios"
  | "prices"
  | "choice";

/** The part of the server where an option takes effect. */
export type OptionReader =
  | "http"
  | "login"
  | "status"
  | "users"
  | "tokens"
  | "channels"
  | "relay"
  | "limits"
  | "options"
  | "mail"
  | "alerts"
  | "notifications"
  | "proxy"
  | "verification"
  | "registration"
  | "invitations"
  | "oauth"
  | "factors"
  | "audit"
  | "logs"
  | "pricing"
  | "dashboard"
  | "status-page";

interface OptionUse {
  readonly readBy: readonly OptionReader[];
  /**
   * Only root may set it. `always`: a secret or a destination of secrets, mails, logins or calls. `when-narrowed`
   * (while RootOnlySettings is on): a price, a link or HTML.
   */
  readonly rootOnly?: "always" | "when-narrowed";
  /** For a switch: options that must be set before it may be on, and may not be cleared while it is. */
  readonly needs?: readonly string[];
  /** For a switch: options that suffice instead of `needs`. */
  readonly orNeeds?: readonly string[];
}

export interface OptionDefinition<Kind extends OptionKind = OptionKind> extends OptionUse {
  readonly kind: Kind;
  /** Value until one is saved. */
  readonly default: string;
  readonly choices?: readonly string[];
  /** Inclusive bounds of a number, or of each ratio. */
  readonly min?: number;
  readonly max?: number;
  /** For a number: maximal digits after the decimal point. Checked on saving only; stored values stay valid. */
  readonly decimals?: number;
  /** In characters. */
  readonly maxLength?: number;
  /** For a text: may have several lines. */
  readonly multiline?: boolean;
  /** Allowed beginnings of an address, for example `https:`. A secret with these is an address that contains a password. */
  readonly protocols?: readonly string[];
  /**
   * | form of a text | content |
   * |---|---|
   * | `host` | a server name |
   * | `sender` | a mail sender, with or without a name |
   * | `domains` | a list |
   * | `site` | an address without query |
   * | `issuer` | an OpenID Connect issuer |
   * | `limits` | a JSON object of the limits of groups |
   * | `aliases` | a JSON object of the models of aliases |
   */
  readonly format?: "host" | "sender" | "domains" | "site" | "issuer" | "limits" | "aliases";
  /**
   * For a secret: options of the address that it is sent to. Changing one clears the secret, so that it cannot be
   * redirected.
   */
  readonly sentTo?: readonly string[];
}

const MAX_LINE_LENGTH = 4_096;
const MAX_PAGE_LENGTH = 65_536;
/** A list of ratios may name every model there is. */
const MAX_RATIOS_LENGTH = 1_000_000;
const WEB_PROTOCOLS = ["http:", "https:"] as const;

/** Only root while RootOnlySettings is on. */
const narrowed = { rootOnly: "when-narrowed" } as const;
/**
 * Only root: an administrator who could set it would receive stored keys, mails with reset links, or the logins of
 * others.
 */
const rootsOwn = { rootOnly: "always" } as const;

function flag<const Use extends OptionUse>(value: "true" | "false", use: Use) {
  return { kind: "flag" as const, default: value, ...use };
}

function integer<const Use extends OptionUse>(value: number, bounds: { min: number; max: number }, use: Use) {
  return { kind: "integer" as const, default: String(value), ...bounds, ...use };
}

function text<const Use extends OptionUse>(value: string, use: Use) {
  return { kind: "text" as const, default: value, maxLength: MAX_LINE_LENGTH, ...use };
}

/** Markdown or HTML of several lines, shown to everybody. */
function pageText<const Use extends OptionUse>(use: Use) {
  return { kind: "text" as const, default: "", maxLength: MAX_PAGE_LENGTH, multiline: true, ...narrowed, ...use };
}

function address<const Use extends OptionUse>(use: Use) {
  const limits = { maxLength: MAX_LINE_LENGTH, protocols: WEB_PROTOCOLS };
  return { kind: "address" as const, default: "", ...limits, ...rootsOwn, ...use };
}

function link<const Use extends OptionUse>(use: Use) {
  const limits = { maxLength: MAX_LINE_LENGTH, protocols: WEB_PROTOCOLS };
  return { kind: "link" as const, default: "", ...limits, ...narrowed, ...use };
}

function secret<
  const Use extends OptionUse & { readonly sentTo?: readonly string[]; readonly protocols?: readonly string[] },
>(use: Use) {
  return { kind: "secret" as const, default: "", maxLength: MAX_LINE_LENGTH, ...rootsOwn, ...use };
}

function ratios<const Use extends OptionUse>(value: string, use: Use) {
  const limits = { ...OPTION_RATIOS, maxLength: MAX_RATIOS_LENGTH };
  return { kind: "ratios" as const, default: value, ...limits, ...narrowed, ...use };
}

/** JSON: prices of models in dollars. */
function prices<const Use extends OptionUse>(use: Use) {
  return { kind: "prices" as const, default: "{}", maxLength: MAX_RATIOS_LENGTH, ...narrowed, ...use };
}

const QUOTA_BOUNDS = { min: 0, max: Number.MAX_SAFE_INTEGER };
/** A mail server, and a login or, without one, a sender. */
const MAIL_NEEDS = {
  needs: ["SMTPServer", "SMTPAccount", "SMTPToken"],
  orNeeds: ["SMTPServer", "SMTPFrom"],
} as const;

/** All options. Administrators set their texts while the gateway runs. */
export const OPTION_DEFINITIONS = {
  PasswordLoginEnabled: flag("true", { readBy: ["login", "registration", "users", "factors"] }),
  PasswordRegisterEnabled: flag("true", { readBy: ["registration"] }),
  RegisterEnabled: flag("true", { readBy: ["status", "registration", "oauth"] }),
  /** Administrators without a second factor have the rights of regular users until they set one up. */
  AdminSecondFactorEnabled: flag("false", { readBy: ["factors"], rootOnly: "always" }),
  /** On, every sign-up needs an administrator's invitation; invite codes of users do not suffice. */
  InvitationRequired: flag("false", { readBy: ["status", "invitations"] }),
  EmailVerificationEnabled: flag("false", { readBy: ["status", "registration"], ...MAIL_NEEDS }),
  EmailDomainRestrictionEnabled: flag("false", { readBy: ["registration"], needs: ["EmailDomainWhitelist"] }),
  EmailDomainWhitelist: {
    ...text("gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com", {
      readBy: ["registration"],
    }),
    format: "domains",
  },
  GitHubOAuthEnabled: flag("false", {
    readBy: ["status", "oauth", "users"],
    needs: ["GitHubClientId", "GitHubClientSecret"],
  }),
  GitHubClientId: text("", { readBy: ["status", "oauth"], ...rootsOwn }),
  GitHubClientSecret: secret({ readBy: ["oauth"], sentTo: ["GitHubAddress"] }),
  /** GitHub, or a GitHub Enterprise server. */
  GitHubAddress: { ...address({ readBy: ["status", "users"] }), default: "https://github.com" },
  LarkClientId: text("", { readBy: ["status", "oauth", "users"], ...rootsOwn }),
  LarkClientSecret: secret({ readBy: ["oauth"], sentTo: ["LarkAddress"] }),
  /** Feishu in China, https://open.larksuite.com elsewhere. */
  LarkAddress: { ...address({ readBy: ["status", "users"] }), default: "https://open.feishu.cn" },
  OidcEnabled: flag("false", {
    readBy: ["status", "oauth", "users"],
    // The provider leads back to ServerAddress alone.
    needs: ["OidcIssuer", "OidcClientId", "OidcClientSecret", "ServerAddress"],
  }),
  /** Issuer of an OpenID Connect provider; its discovery document has all other addresses. */
  OidcIssuer: { ...address({ readBy: ["oauth", "users"] }), format: "issuer" },
  OidcClientId: text("", { readBy: ["oauth"], ...rootsOwn }),
  OidcClientSecret: secret({ readBy: ["oauth"], sentTo: ["OidcIssuer"] }),
  OidcScopes: text("openid profile", { readBy: ["oauth"] }),
  /** The provider's name on buttons. */
  OidcButtonLabel: text("OpenID Connect", { readBy: ["status", "oauth", "users"] }),
  /** Off, only bound accounts can log in with it. */
  OidcSignUpEnabled: flag("true", { readBy: ["oauth"] }),
  WeChatAuthEnabled: flag("false", {
    readBy: ["status", "oauth", "users"],
    needs: ["WeChatServerAddress", "WeChatServerToken"],
  }),
  WeChatServerAddress: address({ readBy: ["users"] }),
  WeChatServerToken: secret({ readBy: ["oauth"], sentTo: ["WeChatServerAddress"] }),
  WeChatAccountQRCodeImageURL: link({ readBy: ["status"] }),
  TurnstileCheckEnabled: flag("false", {
    readBy: ["status", "verification", "http", "login"],
    needs: ["TurnstileSiteKey", "TurnstileSecretKey"],
  }),
  TurnstileSiteKey: text("", { readBy: ["status"], ...rootsOwn }),
  TurnstileSecretKey: secret({ readBy: ["verification"], sentTo: ["TurnstileAddress"] }),
  /** Server of the human check: Cloudflare, or a compatible one. */
  TurnstileAddress: {
    ...address({ readBy: ["status", "verification", "http"] }),
    default: "https://challenges.cloudflare.com",
  },
  SMTPServer: { ...text("", { readBy: ["mail"], ...rootsOwn }), format: "host" },
  SMTPPort: integer(587, { min: 1, max: 65_535 }, { readBy: ["mail"], ...rootsOwn }),
  SMTPAccount: text("", { readBy: ["mail"], ...rootsOwn }),
  /** Empty for SMTPAccount. */
  SMTPFrom: { ...text("", { readBy: ["mail"], ...rootsOwn }), format: "sender" },
  SMTPToken: secret({ readBy: ["mail"], sentTo: ["SMTPServer", "SMTPPort"] }),
  MessagePusherAddress: address({ readBy: ["mail"] }),
  MessagePusherToken: secret({ readBy: ["mail"], sentTo: ["MessagePusherAddress"] }),
  /** Public address of this gateway. */
  ServerAddress: {
    ...address({ readBy: ["status", "http", "login", "registration", "oauth", "users", "alerts", "factors"] }),
    format: "site",
  },
  GlobalProxyEnabled: flag("false", { readBy: ["relay", "pricing"], ...rootsOwn, needs: ["HttpProxy"] }),
  /** A secret, because it may contain a password. */
  HttpProxy: secret({ readBy: ["relay", "proxy", "pricing"], protocols: PROXY_PROTOCOLS }),
  Notice: pageText({ readBy: ["status"] }),
  About: pageText({ readBy: ["status"] }),
  HomePageContent: pageText({ readBy: ["status"] }),
  Footer: pageText({ readBy: ["status"] }),
  SystemName: text("One API", {
    readBy: ["status", "tokens", "users", "mail", "alerts", "notifications", "registration", "factors"],
  }),
  Logo: text("", { readBy: ["status"], ...narrowed }),
  Theme: { kind: "choice", default: "default", choices: ["default", "berry", "air"], readBy: ["status"] },
  /** Address of the latest release, in the form of GitHub's API. */
  UpdateAddress: address({ readBy: ["status"] }),
  /** Address of newer prices; empty for that of genai-prices. */
  PriceListAddress: address({ readBy: ["pricing"] }),
  /** All policies but `off` fetch that list once a day. */
  PriceListPolicy: {
    kind: "choice",
    default: "off",
    choices: ["off", "manual", "cheaper", "delayed"],
    readBy: ["pricing"],
    ...narrowed,
  },
  TopUpLink: link({ readBy: ["status"] }),
  /** Chat links contain the key of the caller's token. */
  ChatLink: link({ readBy: ["status"], ...rootsOwn }),
  /** Site of LobeChat links; empty for the project's own. */
  ChatLinkLobe: link({ readBy: ["status"], ...rootsOwn }),
  /** Site of ChatGPT Next Web links; empty for ChatLink. */
  ChatLinkNextWeb: link({ readBy: ["status"], ...rootsOwn }),
  QuotaForNewUser: integer(0, QUOTA_BOUNDS, { readBy: ["users", "registration"], ...narrowed }),
  QuotaForInviter: integer(0, QUOTA_BOUNDS, { readBy: ["registration"], ...narrowed }),
  QuotaForInvitee: integer(0, QUOTA_BOUNDS, { readBy: ["registration"], ...narrowed }),
  /** Quota of a user below which a mail is sent; 0 for never. */
  QuotaRemindThreshold: integer(1_000, QUOTA_BOUNDS, { readBy: ["users", "dashboard"] }),
  /** Balance of a channel, in its provider's currency, below which root gets a message; 0 for never. */
  ChannelBalanceRemindThreshold: {
    kind: "number",
    default: "1",
    min: 0,
    max: 1_000_000_000,
    readBy: ["channels", "dashboard"],
  },
  PreConsumedQuota: integer(500, QUOTA_BOUNDS, { readBy: ["relay"], ...narrowed }),
  QuotaPerUnit: {
    kind: "number",
    default: "500000",
    min: 0.01,
    max: 1_000_000_000,
    decimals: 2,
    readBy: ["status", "tokens", "channels", "relay", "options", "mail", "users", "pricing"],
    ...narrowed,
  },
  ModelRatio: ratios("{}", { readBy: ["pricing", "relay"] }),
  CompletionRatio: ratios("{}", { readBy: ["pricing", "relay"] }),
  /** Prices of every kind, some of which begin at a time. They win over ModelRatio and CompletionRatio. */
  ModelPrices: prices({ readBy: ["pricing", "relay"] }),
  /** Charges the fallback price for models without a known price, or refuses them. */
  UnpricedModels: {
    kind: "choice",
    default: "fallback",
    choices: ["fallback", "refuse"],
    readBy: ["relay"],
    ...narrowed,
  },
  GroupRatio: ratios('{"default":1,"vip":1,"svip":1}', { readBy: ["pricing", "relay", "users"] }),
  RetryTimes: integer(3, { min: 0, max: 10 }, { readBy: ["relay"] }),
  PoolMode: { kind: "choice", default: "random", choices: ["random", "polling", "cheapest"], readBy: ["relay"] },
  /** Seconds until a channel's answers begin, above which PoolMode `cheapest` passes it over; 0 for any. */
  CheapestMaxLatency: integer(0, { min: 0, max: 600 }, { readBy: ["relay"] }),
  /**
   * Sticky routing: calls of a conversation go to one channel while it works, because its provider has the prompt in
   * its cache.
   */
  PromptCacheAffinity: flag("true", { readBy: ["relay"] }),
  /** Number of enabled channels of a type below which reserves are enabled. */
  QuotaForAddChannel: integer(0, { min: 0, max: 10_000 }, { readBy: ["channels"] }),
  /** Seconds that a channel's test may take; 0 for any. */
  ChannelDisableThreshold: integer(5, { min: 0, max: 3_600 }, { readBy: ["channels"] }),
  AutomaticDisableChannelEnabled: flag("false", { readBy: ["channels", "relay"] }),
  AutomaticEnableChannelEnabled: flag("false", { readBy: ["channels"] }),
  /** Minutes between scheduled tests, balances and lists of models of each channel; 0 for never. */
  ChannelTestMinutes: integer(0, { min: 0, max: 10_080 }, { readBy: ["channels"] }),
  ChannelBalanceMinutes: integer(0, { min: 0, max: 10_080 }, { readBy: ["channels"] }),
  ChannelModelsMinutes: integer(0, { min: 0, max: 10_080 }, { readBy: ["channels"] }),
  LogConsumeEnabled: flag("true", { readBy: ["relay"] }),
  /** Retention of log entries in days; 0 for no limit. */
  LogRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["logs"] }),
  /** Retention of the daily usage of cleared entries in days; 0 for no limit. */
  UsageRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["logs"] }),
  /** Lets owners of tokens store the bodies of their requests; each token has its own switch. */
  LogBodiesEnabled: flag("false", { readBy: ["relay", "tokens", "status"] }),
  LogBodiesDays: integer(3, { min: 1, max: 90 }, { readBy: ["logs"] }),
  /** Size of all stored bodies together; the oldest are deleted first. */
  LogBodiesMegabytes: integer(256, { min: 1, max: 1_000_000 }, { readBy: ["logs", "relay"] }),
  /** JSON: limits of each user of a group, by group. */
  GroupLimits: {
    kind: "text",
    default: "",
    maxLength: MAX_PAGE_LENGTH,
    multiline: true,
    format: "limits",
    readBy: ["limits"],
  },
  /** JSON: names that stand for several models. */
  ModelAliases: {
    kind: "text",
    default: "",
    maxLength: MAX_PAGE_LENGTH,
    multiline: true,
    format: "aliases",
    readBy: ["relay"],
  },
  /** Longest wait of a request at a limit, in ms; 0 refuses at once. */
  RateLimitQueueMs: integer(0, { min: 0, max: 2_000 }, { readBy: ["relay"] }),
  DisplayInCurrencyEnabled: flag("true", { readBy: ["status", "options", "mail", "relay"] }),
  DisplayTokenStatEnabled: flag("true", { readBy: ["relay"] }),
  ApproximateTokenEnabled: flag("false", { readBy: ["relay"] }),
  PricingEnabled: flag("true", { readBy: ["status", "pricing"] }),
  /** The public page of recent availability of models. */
  StatusPageEnabled: flag("false", { readBy: ["status", "status-page"] }),
  AutoAddChannelEnabled: flag("false", { readBy: ["channels"] }),
  /** Servers with one database share the channels through Redis, whose address is in the environment. */
  CacheChannelEnabled: flag("false", { readBy: ["relay"] }),
  GeminiNewEnabled: flag("true", { readBy: ["relay"] }),
  GeminiUploadImageEnabled: flag("false", { readBy: ["relay"] }),
  /** Retention of audit entries in days; 0 for no limit. Only root, because a shorter retention could hide actions. */
  AuditRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["audit"], rootOnly: "always" }),
  /** On, only root may set prices, links and HTML. */
  RootOnlySettings: flag("false", { readBy: ["options"], rootOnly: "always" }),
} as const satisfies Record<string, OptionDefinition>;

export type OptionKey = keyof typeof OPTION_DEFINITIONS;

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTION_DEFINITIONS, key);
}

export const OPTION_KEYS: readonly OptionKey[] = Object.keys(OPTION_DEFINITIONS).filter(isOptionKey);

/** `isNarrowed` is the option RootOnlySettings. */
export function isRootsOwn(key: OptionKey, isNarrowed: boolean): boolean {
  const { rootOnly }: OptionDefinition = OPTION_DEFINITIONS[key];
  return rootOnly === "always" || (rootOnly === "when-narrowed" && isNarrowed);
}

export const optionSchema = z.object({ key: z.string(), value: z.string() });

export type Option = z.infer<typeof optionSchema>;

/** Whether a text is a number that the option takes, of an integer a whole one. */
export function isOptionNumber(
  { kind, min = 0, max = Number.MAX_SAFE_INTEGER }: OptionDefinition,
  typed: string,
): boolean {
  const isNumber = kind === "integer" ? /^\d+$/.test(typed) : /^\d+(\.\d+)?$/.test(typed);
  return isNumber && Number(typed) >= min && Number(typed) <= max;
}

/** Whether a number has at most as many digits after its point as a new value of the option may have. */
export function hasOptionDecimals({ decimals }: OptionDefinition, typed: string): boolean {
  return decimals === undefined || (typed.split(".")[1] ?? "").length <= decimals;
}

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
