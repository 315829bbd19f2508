import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from "@one-api/contract/option";
import { type Actor, actorIsAdmin, actorIsRoot } from "../../core/actor.ts";

/** Texts that are prices, addresses or HTML, beside those whose kind says so. */
const NARROWED_TEXTS: readonly OptionKey[] = [
  "QuotaPerUnit",
  "QuotaForNewUser",
  "QuotaForInviter",
  "QuotaForInvitee",
  "PreConsumedQuota",
  "SMTPServer",
  "SMTPPort",
  "SMTPFrom",
  "GlobalProxyEnabled",
  "WeChatAccountQRCodeImageURL",
  "TopUpLink",
  "ChatLink",
  "Logo",
  "Notice",
  "About",
  "HomePageContent",
  "Footer",
];
const NARROWED_KINDS: readonly OptionDefinition["kind"][] = ["secret", "address", "ratios"];

/** True when only root may set the option while RootOnlySettings is on. */
function isNarrowed(key: OptionKey): boolean {
  return NARROWED_KINDS.includes(OPTION_DEFINITIONS[key].kind) || NARROWED_TEXTS.includes(key);
}

/** Says whether the actor may set the option. `rootOnlySettings` is the option of that name. */
export function maySetOption(actor: Actor, key: OptionKey, rootOnlySettings: boolean): boolean {
  if (actorIsRoot(actor)) return true;
  return actorIsAdmin(actor) && key !== "RootOnlySettings" && !(rootOnlySettings && isNarrowed(key));
}
