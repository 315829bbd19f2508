import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";

type Definitions = typeof OPTION_DEFINITIONS;
type KeyWith<Part> = { [Key in OptionKey]: Definitions[Key] extends Part ? Key : never }[OptionKey];

/** Step of the arrows in a field of fractions. */
const PART = 0.01;

/** The field of a number, within the bounds that the server takes; of an integer in whole steps. */
export function numberField<const Key extends KeyWith<{ kind: "integer" | "number" }>>(key: Key) {
  const { kind, min, max } = OPTION_DEFINITIONS[key];
  const { decimals }: OptionDefinition = OPTION_DEFINITIONS[key];
  const step = kind === "integer" ? 1 : PART;
  return { key, kind: "number", min, max, step, ...(decimals === undefined ? {} : { decimals }) } as const;
}

/** The field of a choice, out of what the server knows. */
export function choiceField<const Key extends KeyWith<{ kind: "choice" }>>(key: Key) {
  const choices: Definitions[Key]["choices"] = OPTION_DEFINITIONS[key].choices;
  return { key, kind: "choice", choices } as const;
}

/** The field of a secret that the server forgets when the address changes that it is sent to. */
export function secretField<const Key extends KeyWith<{ kind: "secret"; sentTo: readonly string[] }>>(key: Key) {
  return { key, kind: "secret", sentTo: OPTION_DEFINITIONS[key].sentTo } as const;
}
