import {
  hasOptionDecimals,
  isOptionKey,
  isOptionNumber,
  OPTION_DEFINITIONS,
  type OptionDefinition,
} from "@one-api/contract/option";
import { numberField, secretField } from "./declared-field.ts";

/** How a field of an option is shown and tidied. A page is a text of several lines with a preview. */
type FieldKind = "text" | "number" | "quota" | "choice" | "address" | "secret" | "list" | "page" | "json";

/** One option that a section's button saves. */
export interface OptionField {
  readonly key: string;
  readonly kind: FieldKind;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Of a number: most digits after its point. */
  readonly decimals?: number;
  /** Of a page: what it looks like where it is shown. */
  readonly preview?: "document" | "page" | "line";
  readonly choices?: readonly string[];
  /** Of a secret: the options whose change makes the server forget it. */
  readonly sentTo?: readonly string[];
  /** Of a secret: an address with a password in it. */
  readonly isAddress?: boolean;
  readonly placeholder?: string;
  /** The server uses the placeholder for an empty field. */
  readonly isPlaceholderTaken?: boolean;
}

export interface OptionSection {
  readonly id: string;
  /** Switches save at once. */
  readonly switches: readonly string[];
  /** The rest saves with the section's button. */
  readonly fields: readonly OptionField[];
}

/** The settings about how people come in and where the system stands, in their order on the page. */
export const SYSTEM_SECTIONS = [
  {
    id: "general",
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
    id: "whitelist",
    switches: ["EmailDomainRestrictionEnabled"],
    fields: [{ key: "EmailDomainWhitelist", kind: "list", placeholder: "example.com" }],
  },
  {
    id: "smtp",
    switches: [],
    fields: [
      { key: "SMTPServer", kind: "text", placeholder: "smtp.example.com" },
      { ...numberField("SMTPPort"), placeholder: "587" },
      { key: "SMTPAccount", kind: "text" },
      { key: "SMTPFrom", kind: "text" },
      secretField("SMTPToken"),
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

/** Saved options, and the names of set secrets. */
export interface SavedOptions {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Defaults of the options; older servers send none. */
  readonly defaults: Readonly<Record<string, string>>;
}

export type Draft = Readonly<Record<string, string>>;

function tidy(field: OptionField, text: string): string {
  if (field.kind === "page") return text;
  return field.kind === "address" || field.isAddress === true ? text.trim().replace(/\/+$/, "") : text.trim();
}

function effectOf({ placeholder = "", isPlaceholderTaken = false }: OptionField, value: string): string {
  return value === "" && isPlaceholderTaken ? placeholder : value;
}

/** The options that saving sends: only what changed, a secret and a number only when something is typed; addresses before their secrets. */
export function changedOptions(
  fields: readonly OptionField[],
  draft: Draft,
  { values }: SavedOptions,
): { key: string; value: string }[] {
  return fields
    .flatMap((field) => {
      const typed = draft[field.key];
      if (typed === undefined) return [];
      const value = tidy(field, typed);
      const isOptional = ["secret", "number", "quota"].includes(field.kind);
      const isSame =
        isOptional && value === "" ? true : effectOf(field, value) === effectOf(field, values[field.key] ?? "");
      return isSame ? [] : [{ key: field.key, value, isLast: field.kind === "secret" }];
    })
    .toSorted((left, right) => Number(left.isLast) - Number(right.isLast))
    .map(({ key, value }) => ({ key, value }));
}

/** Why a number that changed cannot be saved: it is out of its bounds, or has too many digits after its point. Undefined when it can be. */
export function numberProblem(
  { key }: OptionField,
  changes: readonly { readonly key: string; readonly value: string }[],
): "numberRange" | "numberDecimals" | undefined {
  const value = changes.find((change) => change.key === key)?.value;
  if (!isOptionKey(key) || value === undefined) return undefined;
  const definition: OptionDefinition = OPTION_DEFINITIONS[key];
  if (definition.kind !== "integer" && definition.kind !== "number") return undefined;
  if (!isOptionNumber(definition, value)) return "numberRange";
  return hasOptionDecimals(definition, value) ? undefined : "numberDecimals";
}

/** Secrets that the server will forget with this change, because the address that they are sent to changes, and that are not typed again. */
export function secretsToRetype(fields: readonly OptionField[], draft: Draft, saved: SavedOptions): string[] {
  const changed = new Set(changedOptions(fields, draft, saved).map(({ key }) => key));
  return fields
    .filter(
      ({ key, sentTo = [] }) =>
        sentTo.some((option) => changed.has(option)) && saved.secrets.includes(key) && !changed.has(key),
    )
    .map(({ key }) => key);
}
