import type { OptionKey } from "@one-api/contract/option";
import { parse } from "secure-json-parse";
import { invalidOption } from "./invalid-option.ts";
import type { ParsedOption } from "./parsed-option.ts";

/** Reads a JSON object of ratios; an empty text is an empty object. Throws `invalid-input` naming the ratio that is wrong. */
export function readRatios(key: OptionKey, text: string): ParsedOption {
  const json = text.trim() === "" ? "{}" : text.trim();
  const ratios = parseObject(key, json);
  const table = new Map<string, number>();
  for (const [name, ratio] of Object.entries(ratios)) {
    if (typeof ratio !== "number" || !Number.isFinite(ratio) || ratio < 0) {
      throw invalidOption(`${key}: the ratio of "${name}" must be a number of at least 0.`);
    }
    table.set(name, ratio);
  }
  return { text: json, value: table };
}

function parseObject(key: OptionKey, json: string): object {
  let parsed: unknown;
  try {
    parsed = parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidOption(`${key} is not valid JSON: ${reason}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw invalidOption(`${key} must be a JSON object like {"name": 1.5}.`);
  }
  return parsed;
}
