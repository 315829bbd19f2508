import { OPTION_KEYS } from "@one-api/contract/option";
import { IconAdjustments } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { loadTexts, rawText } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { tabOfOption } from "../../settings/wanted-option.ts";
import { hasWords, type PaletteGroup } from "./palette-commands.ts";

const MAX_SETTINGS = 6;

/** The options whose label or name has the words, each leading to its field; what they are called is loaded once something is typed. */
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
  const commands = OPTION_KEYS.flatMap((key) => {
    const tab = tabOfOption(key);
    const label = textOf(`fields.${key}`) ?? textOf(`ratios.${key}`);
    if (tab === undefined || label === undefined || !hasWords(text, `${label} ${key}`)) return [];
    const hint = textOf(`tabs.${tab}`) ?? "";
    const run = () => router.history.push(`/setting?option=${key}`);
    return [{ id: `option-${key}`, label, hint, icon: IconAdjustments, run }];
  });
  return { name: "settings", commands: commands.slice(0, MAX_SETTINGS) };
}
