import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconLanguage, IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { chooseLanguage, currentLanguage } from "../../lib/i18n/i18n.ts";
import { type Language, LANGUAGES } from "../../lib/i18n/languages.ts";

const following: Record<MantineColorScheme, MantineColorScheme> = { auto: "light", light: "dark", dark: "auto" };

/** Colour scheme, and a function that switches it: system, light, dark. */
export function useCycleColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return { colorScheme, cycle: () => setColorScheme(following[colorScheme]) };
}

const schemeIcons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon } as const;
const otherLanguage: Record<Language, Language> = { en: "zh-CN", "zh-CN": "en" };

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
