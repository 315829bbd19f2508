import type { RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf } from "../../lib/values/read-values.ts";

const TABS = ["personal", "operation", "system", "other"] as const;

export type SettingsTab = (typeof TABS)[number];

export interface SettingsSearch {
  tab?: SettingsTab | undefined;
  option?: string | undefined;
}

export function isSettingsTab(text: string | null): text is SettingsTab {
  return choiceOf(text, TABS) !== undefined;
}

/** `tab`: without it the tab of the option, or the personal one. `option`: the highlighted option. */
export function readSettingsSearch({ tab, option }: RawSearch): SettingsSearch {
  return { tab: choiceOf(tab, TABS), option: typeof option === "string" ? option : undefined };
}
