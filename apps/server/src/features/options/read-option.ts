import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from "@one-api/contract/option";
import { invalidOption } from "./invalid-option.ts";
import type { OptionValue, ParsedOption } from "./parsed-option.ts";
import { readAddress } from "./read-address.ts";
import { readRatios } from "./read-ratios.ts";
import { readText } from "./read-text.ts";

const MAX_PORT = 65_535;

/** Reads an option's text by the option's kind. Throws `invalid-input` naming the option and what it must be. */
export function readOption(key: OptionKey, text: string): ParsedOption {
  const definition: OptionDefinition = OPTION_DEFINITIONS[key];
  switch (definition.kind) {
    case "flag":
      return readChoice(key, text, ["true", "false"], (choice) => choice === "true");
    case "choice":
      return readChoice(key, text, definition.choices ?? [], (choice) => choice);
    case "integer":
      return readInteger(key, text);
    case "number":
      return readNumber(key, text);
    case "ratios":
      return readRatios(key, text);
    case "address":
      return readAddress(key, text);
    case "text":
    case "secret":
      return readText(key, text);
  }
}

function readChoice(
  key: OptionKey,
  text: string,
  choices: readonly string[],
  mean: (choice: string) => OptionValue,
): ParsedOption {
  const choice = text.trim();
  if (!choices.includes(choice)) throw invalidOption(`${key} must be one of: ${choices.join(", ")}.`);
  return { text: choice, value: mean(choice) };
}

function readInteger(key: OptionKey, text: string): ParsedOption {
  const value = Number(text.trim());
  const max = key === "SMTPPort" ? MAX_PORT : Number.MAX_SAFE_INTEGER;
  if (!/^\d+$/.test(text.trim()) || value > max) throw invalidOption(`${key} must be a whole number from 0 to ${max}.`);
  return { text: String(value), value };
}

function readNumber(key: OptionKey, text: string): ParsedOption {
  const value = Number(text.trim());
  const fits = /^\d+(\.\d+)?$/.test(text.trim()) && value > 0 && value <= Number.MAX_SAFE_INTEGER;
  if (!fits) throw invalidOption(`${key} must be a number above 0.`);
  return { text: text.trim(), value };
}
