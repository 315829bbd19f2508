import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import { IconAdjustments } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { loadTexts, rawText } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { loadChunk } from "../../../lib/load-chunk.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { hasWords } from "../../../lib/values/has-words.ts";
import { SETTINGS_TABS } from "../../settings/navigation/settings-search.ts";
import type * as SettingsMap from "../../settings/navigation/settings-map.ts";
import { commandIcon, type PaletteGroup } from "./palette-commands.tsx";

const MAX_SETTINGS = 6;

interface FoundSetting {
  readonly id: string;
  readonly label: string;
  /** Searched as well as the label. */
  readonly key: string;
  readonly hint: string;
  readonly path: string;
}

function listSettings(
  { placeOfOption, SETTINGS_MAP }: Pick<typeof SettingsMap, "placeOfOption" | "SETTINGS_MAP">,
  textOf: (path: string) => string | undefined,
): FoundSetting[] {
  const sections = SETTINGS_TABS.flatMap((tab) =>
    SETTINGS_MAP[tab].map(({ id }) => ({
      id: `section-${id}`,
      label: textOf(`sections.${id}.title`) ?? id,
      key: "",
      hint: textOf(`tabs.${tab}`) ?? "",
      path: `/setting?tab=${tab}&section=${id}`,
    })),
  );
  const options = OPTION_KEYS.flatMap((key) => {
    const place = placeOfOption(key);
    const label = textOf(`fields.${key}`);
    if (place === undefined || label === undefined) return [];
    const hint = [textOf(`tabs.${place.tab}`), textOf(`sections.${place.section}.title`)].join(" · ");
    return [{ id: `option-${key}`, label, key, hint, path: `/setting?option=${key}` }];
  });
  return [...sections, ...options];
}

/** The sections and options of the settings whose label or key has the words. They are loaded once something is typed. */
export function useSettingsGroup(text: string): PaletteGroup {
  const { language } = useTranslation("palette");
  const router = useRouter();
  const isWanted = useIsAdmin() && text !== "";
  const { data: settings = [] } = useQuery({
    queryKey: ["palette", "settings", language],
    queryFn: async () => {
      const load = () => import("../../settings/navigation/settings-map.ts");
      const [map] = await Promise.all([loadChunk(load), loadTexts(["settings"])]);
      return listSettings(map, (path) => rawText(language, ["settings"], path));
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const found = isWanted ? settings.filter(({ key, label }) => hasWords(text, `${label} ${key}`)) : [];
  const commands = found.slice(0, MAX_SETTINGS).map(({ id, label, hint, path }) => ({
    id,
    label,
    hint,
    icon: commandIcon(IconAdjustments),
    run: () => router.history.push(path),
  }));
  return { name: "settings", commands };
}
