import { isRootsOwn, type OptionKey } from "@one-api/contract/option";
import { type Actor, actorIsAdmin, actorIsRoot } from "../../core/actor.ts";

/** Applies the option's declaration. `rootOnlySettings` is the option of that name. */
export function maySetOption(actor: Actor, key: OptionKey, rootOnlySettings: boolean): boolean {
  return actorIsRoot(actor) || (actorIsAdmin(actor) && !isRootsOwn(key, rootOnlySettings));
}
