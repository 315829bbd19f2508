import { isIPv6 } from "node:net";
import { joinList, stripTrailingSlashes } from "@one-api/contract/texts";
import { isOptionNumber, type OptionDefinition } from "@one-api/contract/options/define-option";
import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { ErrorCode, ErrorValues } from "@one-api/contract/error-codes";
import { parsePrices, type PriceTable } from "@one-api/contract/prices/model-prices";
import { parseRatios, type RatiosProblem } from "@one-api/contract/prices/ratios";
import { AppError } from "../../core/app-error.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";
import type { RatioTable } from "../../core/option-store.ts";
import { CHECK_OF_TABLE } from "./check-option-table.ts";

export type OptionValue = boolean | number | string | RatioTable | { readonly prices: PriceTable };

export interface ParsedOption {
  readonly text: string;
  readonly value: OptionValue;
}

/** Parses an option's text as declared. Throws a refusal that names the option and the expected form. */
export function readOption(key: OptionKey, text: string): ParsedOption {
  const definition: OptionDefinition = OPTION_DEFINITIONS[key];
  switch (definition.kind) {
    case "flag":
      return readChoice(key, text, ["true", "false"], (choice) => choice === "true");
    case "choice":
      return readChoice(key, text, definition.choices ?? [], (choice) => choice);
    case "integer":
    case "number":
      return readNumber(key, text, definition);
    case "ratios":
      return readRatios(key, text, definition);
    case "prices":
      return readPrices(key, text, definition);
    case "address":
      return readAddress(key, stripTrailingSlashes(text.trim()), definition);
    case "link":
      return readAddress(key, text.trim(), definition);
    case "secret":
      // A secret address contains a password.
      if (definition.protocols !== undefined) return readAddress(key, stripTrailingSlashes(text.trim()), definition);
      return readText(key, text, definition);
    case "text":
      return readText(key, text, definition);
  }
}

function refusal(code: ErrorCode, message: string, values: ErrorValues): AppError {
  return new AppError(code, message, { field: "value", values });
}

function readChoice(
  option: OptionKey,
  text: string,
  choices: readonly string[],
  mean: (choice: string) => OptionValue,
): ParsedOption {
  const choice = text.trim();
  if (!choices.includes(choice)) {
    const list = choices.join(", ");
    throw refusal("option-not-one-of", `${option} must be one of: ${list}.`, { option, choices: list });
  }
  return { text: choice, value: mean(choice) };
}

function readNumber(option: OptionKey, text: string, definition: OptionDefinition): ParsedOption {
  const { kind, min = 0, max = Number.MAX_SAFE_INTEGER } = definition;
  const whole = kind === "integer";
  const tidy = text.trim();
  const value = Number(tidy);
  if (!isOptionNumber(definition, tidy)) {
    throw whole
      ? refusal("option-whole-number", `${option} must be a whole number from ${min} to ${max}.`, { option, min, max })
      : refusal("option-number", `${option} must be a number from ${min} to ${max}.`, { option, min, max });
  }
  return { text: whole ? String(value) : tidy, value };
}

function readText(option: OptionKey, text: string, definition: OptionDefinition): ParsedOption {
  const multiline = definition.multiline === true;
  const tidy = multiline ? text : text.trim();
  checkLength(option, tidy, definition);
  // A line break in a name or address could inject mail headers.
  if (!multiline && /\p{Cc}/u.test(tidy)) {
    throw refusal("option-one-line", `${option} must be one line without control characters.`, { option });
  }
  const { format } = definition;
  if (format === "host") refuseMetadataHost(option, tidy);
  if (tidy !== "" && (format === "limits" || format === "aliases")) CHECK_OF_TABLE[format](option, tidy);
  return { text: tidy, value: tidy };
}

function checkLength(option: OptionKey, text: string, { maxLength: limit }: OptionDefinition): void {
  if (limit !== undefined && text.length > limit)
    throw refusal("option-too-long", `${option} must have at most ${limit} characters.`, { option, limit });
}

function readAddress(option: OptionKey, address: string, definition: OptionDefinition): ParsedOption {
  if (address === "") return { text: "", value: "" };
  checkLength(option, address, definition);
  const { protocols = [] } = definition;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !protocols.includes(url.protocol)) {
    const beginnings = protocols.map((protocol) => `${protocol}//`).join(" or ");
    const message = `${option} must be an address that begins with ${beginnings}, or empty.`;
    throw refusal("option-address", message, { option, protocols: joinList(protocols.map((name) => `${name}//`)) });
  }
  refuseMetadata(option, url);
  // A proxy's address may contain credentials, as there is no other place for them. All other addresses are
  // shown to users.
  if ((url.username !== "" || url.password !== "") && protocols.every((protocol) => protocol.startsWith("http"))) {
    throw refusal("option-address-secret", `${option} must not carry a user name or password.`, { option });
  }
  return { text: address, value: address };
}

function refuseMetadata(option: OptionKey, { hostname }: URL): void {
  if (!isMetadataHost(hostname)) return;
  const message = `${option} must not lead to a link-local or cloud metadata address. Name another server.`;
  throw refusal("option-address-metadata", message, { option });
}

/** Parses the host as a URL, which normalizes unusual notations of an address. */
function refuseMetadataHost(option: OptionKey, host: string): void {
  // URLs have no zone of a link-local address.
  const address = isIPv6(host) ? `http://[${host.replace(/%.*/, "")}]` : `http://${host}`;
  if (URL.canParse(address)) refuseMetadata(option, new URL(address));
}

function readRatios(option: OptionKey, text: string, definition: OptionDefinition): ParsedOption {
  const json = text.trim() === "" ? "{}" : text.trim();
  checkLength(option, json, definition);
  const bounds = { min: definition.min ?? 0, max: definition.max ?? Number.MAX_SAFE_INTEGER };
  const parsed = parseRatios(json, bounds);
  if (parsed.entries === undefined) throw ratiosRefusal(option, parsed.problem, bounds);
  return { text: json, value: parsed.entries };
}

function readPrices(option: OptionKey, text: string, definition: OptionDefinition): ParsedOption {
  const json = text.trim() === "" ? "{}" : text.trim();
  checkLength(option, json, definition);
  const parsed = parsePrices(json);
  if (parsed.prices !== undefined) return { text: json, value: { prices: parsed.prices } };
  const { field, reason } = parsed.problem;
  const message = `${field === "" ? option : `${option}: "${field}"`} ${reason}.`;
  throw refusal("option-prices", message, { option, field, reason });
}

function ratiosRefusal(
  option: OptionKey,
  { kind, name, line, column }: RatiosProblem,
  { min, max }: { readonly min: number; readonly max: number },
): AppError {
  const place = `at line ${line}, column ${column}`;
  const values = { option, name, line, column };
  switch (kind) {
    case "syntax":
      return refusal("option-json", `${option} is not valid JSON ${place}.`, values);
    case "object":
      return refusal("option-json-object", `${option} must be a JSON object like {"name": 1.5}.`, { option });
    case "number": {
      const message = `${option}: the ratio of "${name}" ${place} must be a number from ${min} to ${max}.`;
      return refusal("option-ratio", message, { ...values, min, max });
    }
    case "twice":
      return refusal("option-ratio-twice", `${option} has "${name}" twice, again ${place}. Leave one.`, values);
    case "name":
      return refusal("option-ratio-name", `${option}: "${name}" ${place} is no name of a ratio. Change it.`, values);
  }
}
