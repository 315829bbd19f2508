import { OPTION_KEYS } from "@one-api/contract/option";
import { IconAdjustments } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { loadTexts, rawText } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { hasWords } from "../../../lib/values/has-words.ts";
import { placeOfOption, SETTINGS_MAP } from "../../settings/navigation/settings-map.ts";
import { SETTINGS_TABS } from "../../settings/navigation/settings-search.ts";
import type { PaletteGroup } from "./palette-commands.ts";

const MAX_SETTINGS = 6;

/** The sections and options of the settings whose label or key has the words. Their texts are loaded once something is typed. */
export function useSettingsGroup(text: string): PaletteGroup {
  const { language } = useTranslation("palette");
  const router = useRouter();
  const isWanted = useIsAdmin() && text !== "";
  const { isSuccess } = useQuery({
    queryKey: ["palette", "settings", language],
    queryFn: async () => {
      await loadTexts(["settings"]);
      return language;
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  if (!isWanted || !isSuccess) return { name: "settings", commands: [] };
  const textOf = (path: string) => rawText(language, ["settings"], path);
  const sections = SETTINGS_TABS.flatMap((tab) =>
    SETTINGS_MAP[tab].flatMap(({ id }) => {
      const label = textOf(`sections.${id}.title`) ?? id;
      if (!hasWords(text, label)) return [];
      const run = () => router.history.push(`/setting?tab=${tab}&section=${id}`);
      return [{ id: `section-${id}`, label, hint: textOf(`tabs.${tab}`) ?? "", icon: IconAdjustments, run }];
    }),
  );
  const options = OPTION_KEYS.flatMap((key) => {
    const place = placeOfOption(key);
    const label = textOf(`fields.${key}`);
    if (place === undefined || label === undefined || !hasWords(text, `${label} ${key}`)) return [];
    const hint = [textOf(`tabs.${place.tab}`), textOf(`sections.${place.section}.title`)].join(" · ");
    const run = () => router.history.push(`/setting?option=${key}`);
    return [{ id: `option-${key}`, label, hint, icon: IconAdjustments, run }];
  });
  return { name: "settings", commands: [...sections, ...options].slice(0, MAX_SETTINGS) };
}
