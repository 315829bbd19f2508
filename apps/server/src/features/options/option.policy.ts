import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from "@one-api/contract/option";
import { type Actor, actorIsAdmin, actorIsRoot } from "../../core/actor.ts";

/** Says whether the actor may set the option, by its declaration. `rootOnlySettings` is the option of that name. */
export function maySetOption(actor: Actor, key: OptionKey, rootOnlySettings: boolean): boolean {
  if (actorIsRoot(actor)) return true;
  const { rootOnly }: OptionDefinition = OPTION_DEFINITIONS[key];
  const rootAlone = rootOnly === "always" || (rootOnly === "when-narrowed" && rootOnlySettings);
  return actorIsAdmin(actor) && !rootAlone;
}
