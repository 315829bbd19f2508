import { OPTION_RATIOS } from "../prices/ratios.ts";

/** Secrets are write-only. A link is an address that is stored as typed. */
type OptionKind =
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
  | "budgets"
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

export const MAX_LINE_LENGTH = 4_096;
export const MAX_PAGE_LENGTH = 65_536;
/** A list of ratios may name every model there is. */
export const MAX_RATIOS_LENGTH = 1_000_000;
const WEB_PROTOCOLS = ["http:", "https:"] as const;

/** Only root while RootOnlySettings is on. */
export const narrowed = { rootOnly: "when-narrowed" } as const;
/**
 * Only root: an administrator who could set it would receive stored keys, mails with reset links, or the logins of
 * others.
 */
export const rootsOwn = { rootOnly: "always" } as const;

export function flag<const Use extends OptionUse>(value: "true" | "false", use: Use) {
  return { kind: "flag" as const, default: value, ...use };
}

export function integer<const Use extends OptionUse>(value: number, bounds: { min: number; max: number }, use: Use) {
  return { kind: "integer" as const, default: String(value), ...bounds, ...use };
}

export function text<const Use extends OptionUse>(value: string, use: Use) {
  return { kind: "text" as const, default: value, maxLength: MAX_LINE_LENGTH, ...use };
}

/** Markdown or HTML of several lines, shown to everybody. */
export function pageText<const Use extends OptionUse>(use: Use) {
  return { kind: "text" as const, default: "", maxLength: MAX_PAGE_LENGTH, multiline: true, ...narrowed, ...use };
}

export function address<const Use extends OptionUse>(use: Use) {
  const limits = { maxLength: MAX_LINE_LENGTH, protocols: WEB_PROTOCOLS };
  return { kind: "address" as const, default: "", ...limits, ...rootsOwn, ...use };
}

export function link<const Use extends OptionUse>(use: Use) {
  const limits = { maxLength: MAX_LINE_LENGTH, protocols: WEB_PROTOCOLS };
  return { kind: "link" as const, default: "", ...limits, ...narrowed, ...use };
}

export function secret<
  const Use extends OptionUse & { readonly sentTo?: readonly string[]; readonly protocols?: readonly string[] },
>(use: Use) {
  return { kind: "secret" as const, default: "", maxLength: MAX_LINE_LENGTH, ...rootsOwn, ...use };
}

export function ratios<const Use extends OptionUse>(value: string, use: Use) {
  const limits = { ...OPTION_RATIOS, maxLength: MAX_RATIOS_LENGTH };
  return { kind: "ratios" as const, default: value, ...limits, ...narrowed, ...use };
}

/** JSON: prices of models in dollars. */
export function prices<const Use extends OptionUse>(use: Use) {
  return { kind: "prices" as const, default: "{}", maxLength: MAX_RATIOS_LENGTH, ...narrowed, ...use };
}

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
