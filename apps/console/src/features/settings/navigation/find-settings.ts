import type { OptionKey } from "@one-api/contract/options/option-definitions";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { hasWords } from "../../../lib/values/has-words.ts";
import { hintOf } from "../options/option-hints.ts";
import { maySetOption, type Viewer } from "../fields/shown-section.ts";
import { type SettingsPlace, shownSections } from "./settings-map.ts";
import { SETTINGS_TABS } from "./settings-search.ts";

interface FoundSection extends SettingsPlace {
  readonly title: string;
  /** Options of the section whose label, hint or key has the words. */
  readonly fields: readonly { readonly key: OptionKey; readonly label: string }[];
}

/**
 * Returns the sections that the viewer may set and that a search text finds by title, description or options; those whose
 * title begins with it first.
 */
export function findSettings(text: string, viewer: Viewer, t: Translate<"settings">): readonly FoundSection[] {
  const tabs = viewer.isAdmin ? SETTINGS_TABS : (["personal"] as const);
  const found = tabs.flatMap((tab) =>
    shownSections(tab, viewer).flatMap(({ id: section, keys }) => {
      const title = t(`sections.${section}.title`);
      const fields = keys
        .filter((key) => maySetOption(key, viewer))
        .map((key) => ({ key, label: t(`fields.${key}`) }))
        .filter(({ key, label }) => hasWords(text, `${label} ${key} ${hintOf(key, t) ?? ""}`));
      const isFound = fields.length > 0 || hasWords(text, `${title} ${t(`sections.${section}.text`)}`);
      return isFound ? [{ tab, section, title, fields }] : [];
    }),
  );
  const isNamed = ({ title }: FoundSection) => title.toLowerCase().startsWith(text.toLowerCase());
  return found.toSorted((left, right) => Number(isNamed(right)) - Number(isNamed(left)));
}
