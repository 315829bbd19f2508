import { isIP } from "node:net";
import { findDuplicateName, joinList, splitList, stripTrailingSlashes } from "@one-api/contract/texts";
import { readMailSender } from "@one-api/contract/accounts/mail-sender";
import { hasOptionDecimals, type OptionDefinition } from "@one-api/contract/options/define-option";
import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { ErrorCode, ErrorValues } from "@one-api/contract/error-codes";
import { AppError } from "../../core/app-error.ts";
import { readOption } from "./read-option.ts";

/** Letters of any script, for internationalized domains. */
const DOMAIN =
  /^(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?\.)*[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?\.?$/u;
const DISCOVERY = "/.well-known/openid-configuration";

/**
 * Parses a new value with additional checks that stored values are exempt from. Returns the text for the
 * database.
 * Throws the refusals of `readOption` and of the option's format.
 */
export function tidyNewOption(key: OptionKey, typed: string): string {
  const { text, value } = readOption(key, typed);
  const definition: OptionDefinition = OPTION_DEFINITIONS[key];
  if (!hasOptionDecimals(definition, text)) throw tooManyDecimals(key, definition.decimals ?? 0);
  if (value instanceof Map) refuseSpaces(key, value);
  const { format } = definition;
  if (text === "" || format === undefined) return text;
  if (format === "domains") return tidyDomains(key, text);
  CHECK_OF_FORMAT[format](key, text);
  return text;
}

const CHECK_OF_FORMAT = {
  host: checkHost,
  sender: checkSender,
  site: checkSite,
  issuer: checkIssuer,
  limits: checkNames,
  aliases: checkNames,
};

function refusal(code: ErrorCode, message: string, values: ErrorValues): AppError {
  return new AppError(code, message, { field: "value", values });
}

function tooManyDecimals(option: OptionKey, decimals: number): AppError {
  const message = `${option} must have at most ${decimals} digits after the point.`;
  return refusal("option-decimals", message, { option, decimals });
}

/** A name with spaces matches no model or group, so its ratio would have no effect. */
function refuseSpaces(option: OptionKey, ratios: ReadonlyMap<string, number>): void {
  const name = [...ratios.keys()].find((key) => key !== key.trim());
  if (name === undefined) return;
  const message = `${option}: the name "${name}" begins or ends with a space. Take it out.`;
  throw refusal("option-ratio-space", message, { option, name });
}

function checkHost(option: OptionKey, host: string): void {
  if (isIP(host) !== 0 || DOMAIN.test(host)) return;
  throw refusal(
    "option-host",
    `${option} must be the name of the mail server alone, such as smtp.example.com, without http:// and port: the port is set as SMTPPort.`,
    { option },
  );
}

function checkSender(option: OptionKey, sender: string): void {
  if (readMailSender(sender) !== undefined) return;
  const message = `${option} must be an e-mail address, or a name and an address: One API <noreply@example.com>.`;
  throw refusal("option-sender", message, { option });
}

/** Many users write @ before a domain. */
function tidyDomains(option: OptionKey, text: string): string {
  const domains = splitList(text).map((part) => part.replace(/^@/, "").toLowerCase());
  const part = domains.find((domain) => !DOMAIN.test(domain));
  if (part === undefined) return joinList(domains);
  const message = `${option}: "${part}" is no domain. Write domains such as example.com, separated by commas.`;
  throw refusal("option-domains", message, { option, part });
}

/** The gateway appends paths. */
function checkSite(option: OptionKey, address: string): void {
  if (!/[?#]/.test(address)) return;
  const message = `${option} must be the address alone, without anything from ? or # on.`;
  throw refusal("option-address-query", message, { option });
}

/** Refuses valid JSON that names an entry twice, of which one would be dropped. */
function checkNames(option: OptionKey, text: string): void {
  const part = findDuplicateName(text);
  if (part === undefined) return;
  throw refusal("option-name-twice", `${option}: "${part}" is there twice. Leave one of them.`, { option, part });
}

function checkIssuer(option: OptionKey, address: string): void {
  checkSite(option, address);
  if (!address.endsWith(DISCOVERY)) return;
  const issuer = stripTrailingSlashes(address.slice(0, -DISCOVERY.length));
  const message = `${option} must be what the provider calls itself, without ${DISCOVERY}: ${issuer}.`;
  throw refusal("option-issuer", message, { option, issuer });
}
