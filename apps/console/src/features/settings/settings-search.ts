import type { RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf } from "../../lib/read-values.ts";

const TABS = ["personal", "operation", "system", "other"] as const;

export type SettingsTab = (typeof TABS)[number];

/** True when the settings have the tab. */
export function isSettingsTab(text: string | null): text is SettingsTab {
  return choiceOf(text, TABS) !== undefined;
}

/** `tab`: what is shown; one's own settings without it. */
export function readSettingsSearch({ tab }: RawSearch): { tab?: SettingsTab | undefined } {
  return { tab: choiceOf(tab, TABS) };
}
