import { numberField, secretField } from "./declared-field.ts";
import type { OptionSection } from "../options/option-draft.ts";

export const SYSTEM_SECTIONS = [
  {
    id: "server",
    switches: ["GlobalProxyEnabled"],
    fields: [
      { key: "ServerAddress", kind: "address", placeholder: "https://gateway.example.com" },
      { key: "HttpProxy", kind: "secret", isAddress: true, placeholder: "socks5://user:password@10.0.0.1:1080" },
    ],
  },
  {
    id: "login",
    switches: [
      "PasswordLoginEnabled",
      "PasswordRegisterEnabled",
      "EmailVerificationEnabled",
      "GitHubOAuthEnabled",
      "WeChatAuthEnabled",
      "RegisterEnabled",
      "InvitationRequired",
      "AdminSecondFactorEnabled",
      "TurnstileCheckEnabled",
    ],
    fields: [],
  },
  {
    id: "smtp",
    switches: ["EmailDomainRestrictionEnabled"],
    fields: [
      { key: "SMTPServer", kind: "text", placeholder: "smtp.example.com" },
      { ...numberField("SMTPPort"), placeholder: "587" },
      { key: "SMTPAccount", kind: "text" },
      { key: "SMTPFrom", kind: "text" },
      secretField("SMTPToken"),
      { key: "EmailDomainWhitelist", kind: "list", placeholder: "example.com" },
    ],
  },
  {
    id: "github",
    switches: [],
    fields: [
      { key: "GitHubClientId", kind: "text" },
      secretField("GitHubClientSecret"),
      { key: "GitHubAddress", kind: "address", placeholder: "https://github.com", isPlaceholderTaken: true },
    ],
  },
  {
    id: "lark",
    switches: [],
    fields: [
      { key: "LarkClientId", kind: "text" },
      secretField("LarkClientSecret"),
      { key: "LarkAddress", kind: "address", placeholder: "https://open.feishu.cn", isPlaceholderTaken: true },
    ],
  },
  {
    id: "oidc",
    switches: ["OidcEnabled", "OidcSignUpEnabled"],
    fields: [
      { key: "OidcIssuer", kind: "address", placeholder: "https://login.example.com/realms/main" },
      { key: "OidcClientId", kind: "text" },
      secretField("OidcClientSecret"),
      { key: "OidcScopes", kind: "text", placeholder: "openid profile" },
      { key: "OidcButtonLabel", kind: "text", placeholder: "OpenID Connect" },
    ],
  },
  {
    id: "wechat",
    switches: [],
    fields: [
      { key: "WeChatServerAddress", kind: "address" },
      secretField("WeChatServerToken"),
      { key: "WeChatAccountQRCodeImageURL", kind: "text" },
    ],
  },
  {
    id: "pusher",
    switches: [],
    fields: [
      { key: "MessagePusherAddress", kind: "address", placeholder: "https://pusher.example.com/push/root" },
      secretField("MessagePusherToken"),
      numberField("ChannelBalanceRemindThreshold"),
    ],
  },
  {
    id: "turnstile",
    switches: [],
    fields: [
      { key: "TurnstileSiteKey", kind: "text" },
      secretField("TurnstileSecretKey"),
      {
        key: "TurnstileAddress",
        kind: "address",
        placeholder: "https://challenges.cloudflare.com",
        isPlaceholderTaken: true,
      },
    ],
  },
] as const satisfies readonly OptionSection[];

export type SystemSection = (typeof SYSTEM_SECTIONS)[number];
