import { useQuery } from "@tanstack/react-query";
import { loadTexts, rawText } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsIdle } from "../../lib/loading/when-idle.ts";

const SPACES = ["settings", "notifications"] as const;

/** Returns the words of settings and alerts, by their path. They load behind the page, which shows keys until then. */
export function useLaterWords(): (space: (typeof SPACES)[number], path: string) => string | undefined {
  const { language } = useTranslation("audit");
  useQuery({
    queryKey: ["audit", "words", language],
    queryFn: async () => {
      await loadTexts(SPACES);
      return true;
    },
    enabled: useIsIdle(),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  return (space, path) => rawText(language, [space], path);
}

/** Texts of `notifications` that name the values of a field, by the field. */
const VALUE_NAMES: Readonly<Record<string, string>> = {
  alerts: "alerts",
  direction: "rules.directions",
  kind: "kinds",
  language: "languages",
  metric: "rules.metrics",
};

/** Returns the values of receivers and chart alerts in words; undefined for others. */
export function useAlertWords(): (object: string, field: string, text: string) => string | undefined {
  const wordsAt = useLaterWords();
  const { t } = useTranslation("common");
  return (object, field, text) => {
    const names = /^(?:receiver|alert-rule)/.test(object) ? VALUE_NAMES[field] : undefined;
    if (names === undefined || text === "") return undefined;
    const words = text.split(", ").map((name) => wordsAt("notifications", `${names}.${name}`) ?? name);
    return words.join(t("listSeparator"));
  };
}
