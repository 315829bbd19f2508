import { isRootsOwn, type OptionKey } from "@one-api/contract/options/option-definitions";
import { type Actor, actorIsAdmin, actorIsRoot } from "../../core/actor.ts";

export function maySetOption(actor: Actor, key: OptionKey, rootOnlySettings: boolean): boolean {
  return actorIsRoot(actor) || (actorIsAdmin(actor) && !isRootsOwn(key, rootOnlySettings));
}
