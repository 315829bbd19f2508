import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionDefinition,
  type OptionKey,
} from "@one-api/contract/option";
import { AppError } from "../../core/app-error.ts";

/** The options that a switch's declaration says must be set while it is on. */
export function needsOf(key: OptionKey): readonly OptionKey[] {
  const { needs = [] }: OptionDefinition = OPTION_DEFINITIONS[key];
  return needs.filter(isOptionKey);
}

/**
 * Refuses to turn a switch on before what it needs is set, and to clear what a switch that is on needs: either would leave a feature on
 * that cannot work, and may lock people out. `stored` has every stored option's text, secrets sealed. Throws `option-needs` and
 * `option-needed`.
 */
export function checkOptionNeeds(key: OptionKey, text: string, stored: ReadonlyMap<string, string>): void {
  const textOf = (option: OptionKey) =>
    option === key ? text : (stored.get(option) ?? OPTION_DEFINITIONS[option].default);
  const missing = needsOf(key).filter((need) => textOf(need) === "");
  if (text === "true" && missing.length > 0) {
    const list = missing.join(", ");
    throw new AppError("option-needs", `Set ${list} before turning on ${key}.`, {
      field: "value",
      values: { option: key, missing: list },
    });
  }
  if (text !== "") return;
  const user = OPTION_KEYS.find((option) => textOf(option) === "true" && needsOf(option).includes(key));
  if (user !== undefined) {
    throw new AppError("option-needed", `${user} is on and needs ${key}. Turn ${user} off before clearing ${key}.`, {
      field: "value",
      values: { option: key, user },
    });
  }
}
