import type { RawSearch } from "../../../lib/list/list-search.ts";
import { choiceOf, textOf } from "../../../lib/values/read-values.ts";

export const SETTINGS_TABS = ["personal", "operation", "system", "other"] as const;

export type SettingsTab = (typeof SETTINGS_TABS)[number];

export interface SettingsSearch {
  tab?: SettingsTab | undefined;
  section?: string | undefined;
  option?: string | undefined;
}

export function isSettingsTab(text: string | null): text is SettingsTab {
  return choiceOf(text, SETTINGS_TABS) !== undefined;
}

/**
 * `tab`: without it the tab of the section or of the option, or the personal one. `section`: without it the section of the option, or the
 * tab's first. `option`: the highlighted option.
 */
export function readSettingsSearch({ tab, section, option }: RawSearch): SettingsSearch {
  return {
    tab: choiceOf(tab, SETTINGS_TABS),
    section: textOf(section, { most: 32 }),
    option: textOf(option, { most: 64 }),
  };
}
