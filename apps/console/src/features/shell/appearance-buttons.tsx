import { ActionIcon } from "@mantine/core";
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, currentLanguage } from "../../lib/i18n.ts";
import { LANGUAGES, type Language } from "../../lib/languages.ts";
import { useCycleColorScheme } from "./use-cycle-color-scheme.ts";

const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;
const otherLanguage: Record<Language, Language> = { en: "zh-CN", "zh-CN": "en" };

/** Changes the colour scheme and the language. */
export function AppearanceButtons() {
  const { t } = useTranslation("shell");
  const { colorScheme, cycle } = useCycleColorScheme();
  const SchemeIcon = schemeIcons[colorScheme];
  const schemeName = t(`colorScheme.${colorScheme}`);
  const next = otherLanguage[currentLanguage()];
  return (
    <>
      <ActionIcon size={32} aria-label={schemeName} title={schemeName} onClick={cycle}>
        <SchemeIcon size={18} stroke={1.6} />
      </ActionIcon>
      <ActionIcon
        size={32}
        aria-label={LANGUAGES[next]}
        title={LANGUAGES[next]}
        lang={next}
        onClick={() => void chooseLanguage(next)}
      >
        <IconLanguage size={18} stroke={1.6} />
      </ActionIcon>
    </>
  );
}
