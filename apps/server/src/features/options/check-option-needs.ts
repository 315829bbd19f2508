import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionKey,
} from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";
import { AppError } from "../../core/app-error.ts";

type TextOf = (option: OptionKey) => string;

export function needsOf(key: OptionKey): readonly OptionKey[] {
  const { needs = [], orNeeds = [] }: OptionDefinition = OPTION_DEFINITIONS[key];
  return [...new Set([...needs, ...orNeeds])].filter(isOptionKey);
}

function missingOf(key: OptionKey, textOf: TextOf): readonly OptionKey[] {
  const { needs = [], orNeeds = [] }: OptionDefinition = OPTION_DEFINITIONS[key];
  const isSet = (option: OptionKey) => textOf(option) !== "";
  const wanted = needs.filter(isOptionKey);
  const isEnough = orNeeds.length > 0 && orNeeds.filter(isOptionKey).every(isSet);
  if (isEnough && wanted.every((option) => orNeeds.includes(option) || !isSet(option))) return [];
  return wanted.filter((option) => !isSet(option));
}

/**
 * Refuses a switch without its required options, and to clear an option that an active switch requires. `stored` has sealed secrets. Throws `option-needs` and `option-needed`.
 */
export function checkOptionNeeds(key: OptionKey, text: string, stored: ReadonlyMap<string, string>): void {
  const textOf: TextOf = (option) =>
    option === key ? text : (stored.get(option) ?? OPTION_DEFINITIONS[option].default);
  const missing = missingOf(key, textOf);
  if (text === "true" && missing.length > 0) {
    const list = missing.join(", ");
    throw new AppError("option-needs", `Set ${list} before turning on ${key}.`, {
      field: "value",
      values: { option: key, missing: list },
    });
  }
  if (text !== "") return;
  const user = OPTION_KEYS.find(
    (option) => textOf(option) === "true" && needsOf(option).includes(key) && missingOf(option, textOf).length > 0,
  );
  if (user !== undefined) {
    throw new AppError("option-needed", `${user} is on and needs ${key}. Turn ${user} off before clearing ${key}.`, {
      field: "value",
      values: { option: key, user },
    });
  }
}
