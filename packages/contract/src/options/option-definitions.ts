import { PROXY_PROTOCOLS } from "../channels/channel-proxy.ts";
import {
  address,
  flag,
  integer,
  link,
  MAX_PAGE_LENGTH,
  narrowed,
  type OptionDefinition,
  pageText,
  prices,
  ratios,
  rootsOwn,
  secret,
  text,
} from "./define-option.ts";

const QUOTA_BOUNDS = { min: 0, max: Number.MAX_SAFE_INTEGER };
/** A mail server, and a login or, without one, a sender. */
const MAIL_NEEDS = {
  needs: ["SMTPServer", "SMTPAccount", "SMTPToken"],
  orNeeds: ["SMTPServer", "SMTPFrom"],
} as const;

/** All options. Administrators set their texts while the gateway runs. */
export const OPTION_DEFINITIONS = {
  PasswordLoginEnabled: flag("true", { readBy: ["status", "login", "registration", "users", "factors"] }),
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
  /** Charges the fallback price for models without a known price, or refuses them. `ask` also alerts administrators. */
  UnpricedModels: {
    kind: "choice",
    default: "fallback",
    choices: ["fallback", "refuse", "ask"],
    readBy: ["relay", "pricing"],
    ...narrowed,
  },
  GroupRatio: ratios('{"default":1,"vip":1,"svip":1}', { readBy: ["budgets", "pricing", "relay", "users"] }),
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
