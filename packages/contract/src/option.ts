import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { OPTION_RATIOS } from "./prices/ratios.ts";

/** How an option's text is read. Secrets are write-only: no call answers them. A link is an address that is kept as it was typed. */
export type OptionKind = "flag" | "integer" | "number" | "text" | "address" | "link" | "secret" | "ratios" | "choice";

/** The part of the server where an option takes effect. */
export type OptionReader =
  | "http"
  | "login"
  | "status"
  | "users"
  | "tokens"
  | "channels"
  | "relay"
  | "options"
  | "mail"
  | "alerts"
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

/** What holds for options of every kind. */
interface OptionUse {
  readonly readBy: readonly OptionReader[];
  /**
   * Root alone may set it. `always`: it is a secret, or it decides where secrets, mails, logins or the calls of this server go.
   * `when-narrowed` (while RootOnlySettings is on): it is a price, a link or HTML.
   */
  readonly rootOnly?: "always" | "when-narrowed";
  /** Of a switch: options that must be set before it may be turned on, and may not be cleared while it is. */
  readonly needs?: readonly string[];
  /** Of a switch: what is enough instead, where nothing else of `needs` is set. */
  readonly orNeeds?: readonly string[];
}

/** Everything about one option. */
export interface OptionDefinition<Kind extends OptionKind = OptionKind> extends OptionUse {
  readonly kind: Kind;
  /** Value until one is saved. */
  readonly default: string;
  /** Of a choice. */
  readonly choices?: readonly string[];
  /** Bounds of a number, both allowed; of ratios, those of each. */
  readonly min?: number;
  readonly max?: number;
  /** Of a number: most digits after its point. Of what is saved only: one that is stored already stays in force. */
  readonly decimals?: number;
  /** Longest text, in characters. */
  readonly maxLength?: number;
  /** Of a text: may have several lines. */
  readonly multiline?: boolean;
  /** What an address may begin with, for example `https:`. A secret that has them is an address with a password in it. */
  readonly protocols?: readonly string[];
  /**
   * What a text must be besides: `host` is the name of a server that this one connects to, `sender` an address that mails come from, with or without
   * a name, `domains` a list of them, `site` an address without query, `issuer` one that is no discovery document.
   */
  readonly format?: "host" | "sender" | "domains" | "site" | "issuer";
  /** Of a secret: the address that it is sent to. It is forgotten when any part of that changes, so that nobody can have it sent elsewhere. */
  readonly sentTo?: readonly string[];
}

const MAX_LINE_LENGTH = 4_096;
const MAX_PAGE_LENGTH = 65_536;
/** A list of ratios may name every model there is. */
const MAX_RATIOS_LENGTH = 1_000_000;
const WEB_PROTOCOLS = ["http:", "https:"] as const;
const PROXY_PROTOCOLS = [...WEB_PROTOCOLS, "socks5:", "socks5h:"] as const;

/** Root's own while RootOnlySettings is on. */
const narrowed = { rootOnly: "when-narrowed" } as const;
/** Root's own: an administrator who could set it would receive stored keys, mails with reset links, or the logins of others. */
const rootsOwn = { rootOnly: "always" } as const;

function flag<const Use extends OptionUse>(value: "true" | "false", use: Use) {
  return { kind: "flag" as const, default: value, ...use };
}

function integer<const Use extends OptionUse>(value: number, bounds: { min: number; max: number }, use: Use) {
  return { kind: "integer" as const, default: String(value), ...bounds, ...use };
}

/** One line. */
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

const QUOTA_BOUNDS = { min: 0, max: Number.MAX_SAFE_INTEGER };
/** A mail server, and a login or, where it asks for none, who the mails are from. */
const MAIL_NEEDS = {
  needs: ["SMTPServer", "SMTPAccount", "SMTPToken"],
  orNeeds: ["SMTPServer", "SMTPFrom"],
} as const;

/** Every option: a key/value pair of texts that administrators set while the gateway runs. */
export const OPTION_DEFINITIONS = {
  PasswordLoginEnabled: flag("true", { readBy: ["login", "registration", "users", "factors"] }),
  PasswordRegisterEnabled: flag("true", { readBy: ["registration"] }),
  RegisterEnabled: flag("true", { readBy: ["status", "registration", "oauth"] }),
  /** Administrators without a second factor have the rights of regular users until they set one up. */
  AdminSecondFactorEnabled: flag("false", { readBy: ["factors"], rootOnly: "always" }),
  /** On, nobody makes an account without an administrator's invitation; users' own invite codes open nothing. */
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
  /** GitHub itself, or a GitHub Enterprise server. */
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
  /** The address that an OpenID Connect provider goes by; where all else is stands in its discovery document. */
  OidcIssuer: { ...address({ readBy: ["oauth", "users"] }), format: "issuer" },
  OidcClientId: text("", { readBy: ["oauth"], ...rootsOwn }),
  OidcClientSecret: secret({ readBy: ["oauth"], sentTo: ["OidcIssuer"] }),
  OidcScopes: text("openid profile", { readBy: ["oauth"] }),
  /** What the provider is called on buttons. */
  OidcButtonLabel: text("OpenID Connect", { readBy: ["status", "oauth", "users"] }),
  /** Off, only who has bound it comes in by it. */
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
  /** Where the human check's script comes from and its answers are checked: Cloudflare, or a server that stands in for it. */
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
  /** The address that callers and browsers use. */
  ServerAddress: {
    ...address({ readBy: ["status", "http", "login", "registration", "oauth", "users", "alerts", "factors"] }),
    format: "site",
  },
  GlobalProxyEnabled: flag("false", { readBy: ["relay"], ...rootsOwn, needs: ["HttpProxy"] }),
  /** A secret, because it may carry a password. */
  HttpProxy: secret({ readBy: ["relay", "proxy"], protocols: PROXY_PROTOCOLS }),
  Notice: pageText({ readBy: ["status"] }),
  About: pageText({ readBy: ["status"] }),
  HomePageContent: pageText({ readBy: ["status"] }),
  Footer: pageText({ readBy: ["status"] }),
  SystemName: text("One API", { readBy: ["status", "tokens", "users", "mail", "alerts", "registration", "factors"] }),
  Logo: text("", { readBy: ["status"], ...narrowed }),
  Theme: { kind: "choice", default: "default", choices: ["default", "berry", "air"], readBy: ["status"] },
  /** What answers with the latest release of the program that runs here, as GitHub's API does. */
  UpdateAddress: address({ readBy: ["status"] }),
  /** Where newer prices are looked for, in the form that genai-prices publishes; empty for its own place. */
  PriceListAddress: address({ readBy: ["pricing"] }),
  TopUpLink: link({ readBy: ["status"] }),
  /** Chat links carry the key of the caller's token. */
  ChatLink: link({ readBy: ["status"], ...rootsOwn }),
  /** The site of LobeChat links; empty for the project's own. */
  ChatLinkLobe: link({ readBy: ["status"], ...rootsOwn }),
  /** The site of ChatGPT Next Web links; empty for ChatLink. */
  ChatLinkNextWeb: link({ readBy: ["status"], ...rootsOwn }),
  QuotaForNewUser: integer(0, QUOTA_BOUNDS, { readBy: ["users"], ...narrowed }),
  QuotaForInviter: integer(0, QUOTA_BOUNDS, { readBy: ["registration"], ...narrowed }),
  QuotaForInvitee: integer(0, QUOTA_BOUNDS, { readBy: ["registration"], ...narrowed }),
  /** Quota of a user below which a mail goes out; 0 for never. */
  QuotaRemindThreshold: integer(1_000, QUOTA_BOUNDS, { readBy: ["users", "dashboard"] }),
  /** Balance of a channel, in its provider's money, below which root is told; 0 for never. */
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
    readBy: ["status", "tokens", "channels", "relay", "options", "mail", "users"],
    ...narrowed,
  },
  ModelRatio: ratios("{}", { readBy: ["pricing", "relay"] }),
  CompletionRatio: ratios("{}", { readBy: ["pricing", "relay"] }),
  GroupRatio: ratios('{"default":1,"vip":1,"svip":1}', { readBy: ["relay", "users"] }),
  RetryTimes: integer(3, { min: 0, max: 10 }, { readBy: ["relay"] }),
  PoolMode: { kind: "choice", default: "random", choices: ["random", "polling"], readBy: ["relay"] },
  /** Calls of a conversation go to the same channel, as long as it can be used, so that its provider finds their prompt in its cache. */
  PromptCacheAffinity: flag("true", { readBy: ["relay"] }),
  /** Enabled channels of a type below which reserves are enabled. */
  QuotaForAddChannel: integer(0, { min: 0, max: 10_000 }, { readBy: ["channels"] }),
  /** Seconds that a channel's test may take; 0 for any. */
  ChannelDisableThreshold: integer(5, { min: 0, max: 3_600 }, { readBy: ["channels"] }),
  AutomaticDisableChannelEnabled: flag("false", { readBy: ["channels", "relay"] }),
  AutomaticEnableChannelEnabled: flag("false", { readBy: ["channels"] }),
  LogConsumeEnabled: flag("true", { readBy: ["relay"] }),
  /** Log entries older than so many days are cleared; 0 keeps them. */
  LogRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["logs"] }),
  /** Days of usage whose entries were cleared are removed after so many days; 0 keeps them. */
  UsageRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["logs"] }),
  /** Owners of tokens may have the bodies of their requests kept, to look into them; each token has a switch of its own. */
  LogBodiesEnabled: flag("false", { readBy: ["relay", "tokens", "status"] }),
  LogBodiesDays: integer(3, { min: 1, max: 90 }, { readBy: ["logs"] }),
  /** Of all bodies together; the oldest go first. */
  LogBodiesMegabytes: integer(256, { min: 1, max: 1_000_000 }, { readBy: ["logs", "relay"] }),
  DisplayInCurrencyEnabled: flag("true", { readBy: ["status", "options", "mail", "relay"] }),
  DisplayTokenStatEnabled: flag("true", { readBy: ["relay"] }),
  ApproximateTokenEnabled: flag("false", { readBy: ["relay"] }),
  /** The page of prices, for everybody. */
  PricingEnabled: flag("true", { readBy: ["status", "pricing"] }),
  /** The page that tells everybody how models have answered of late. */
  StatusPageEnabled: flag("false", { readBy: ["status", "status-page"] }),
  AutoAddChannelEnabled: flag("false", { readBy: ["channels"] }),
  /** Servers that share a database share one reading of the channels through Redis, whose address is in the environment. */
  CacheChannelEnabled: flag("false", { readBy: ["relay"] }),
  GeminiNewEnabled: flag("true", { readBy: ["relay"] }),
  GeminiUploadImageEnabled: flag("false", { readBy: ["relay"] }),
  /** Days after which entries of the audit trail are removed; 0 for never. Root's alone, as who may shorten it could hide what they did. */
  AuditRetentionDays: integer(0, { min: 0, max: 36_500 }, { readBy: ["audit"], rootOnly: "always" }),
  /** On, it narrows prices, links and HTML to root, too. */
  RootOnlySettings: flag("false", { readBy: ["options"], rootOnly: "always" }),
} as const satisfies Record<string, OptionDefinition>;

export type OptionKey = keyof typeof OPTION_DEFINITIONS;

/** True when the text names an option. */
export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTION_DEFINITIONS, key);
}

/** Every option's key. */
export const OPTION_KEYS: readonly OptionKey[] = Object.keys(OPTION_DEFINITIONS).filter(isOptionKey);

/** Returns true when root alone may set the option. `isNarrowed` is the option RootOnlySettings. */
export function isRootsOwn(key: OptionKey, isNarrowed: boolean): boolean {
  const { rootOnly }: OptionDefinition = OPTION_DEFINITIONS[key];
  return rootOnly === "always" || (rootOnly === "when-narrowed" && isNarrowed);
}

export const optionSchema = z.object({ key: z.string(), value: z.string() });

export type Option = z.infer<typeof optionSchema>;

export const listOptions = defineCall({
  method: "GET",
  path: "/api/option/",
  access: "admin",
  summary: "Every option but the secrets, each with its default",
  data: z.array(z.extend(optionSchema, { default: z.optional(z.string()) })),
});

export const listSetSecrets = defineCall({
  method: "GET",
  path: "/api/option/secrets",
  access: "admin",
  summary: "Names of the secret options that are set; what they hold is never answered",
  data: z.array(z.string()),
});

export const sendTestMail = defineCall({
  method: "POST",
  path: "/api/option/test_mail",
  access: "admin",
  summary: "Sends a mail with the saved SMTP settings, to see whether they work",
  body: z.object({ email: z.pipe(z.string().check(z.trim(), z.maxLength(254)), z.email()) }),
  data: z.null(),
});

export const sendTestPush = defineCall({
  method: "POST",
  path: "/api/option/test_push",
  access: "admin",
  summary: "Sends a message with the saved Message Pusher settings, to see whether they work",
  data: z.null(),
});

/** What is called through the proxy when nothing else is named. */
export const DEFAULT_PROXY_TARGET = "https://api.openai.com/v1/models";

export const testProxy = defineCall({
  method: "POST",
  path: "/api/option/test_proxy",
  access: "admin",
  summary: "Calls an address through the saved proxy, whether or not it is switched on, to see whether it works",
  body: z.object({
    /** What to call; nothing is sent but a GET request without a key. */
    address: z._default(
      z.pipe(z.string().check(z.trim(), z.maxLength(MAX_LINE_LENGTH)), z.url({ protocol: /^https?$/ })),
      DEFAULT_PROXY_TARGET,
    ),
  }),
  data: z.object({
    /** HTTP status that came back: any says that the proxy works. */
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
