import { Textarea } from "@mantine/core";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { keepIfWanted, setupStore } from "../chat/playground-store.ts";

/** Sent before the conversation of each model. */
export function SystemPrompt() {
  const { t } = useTranslation("playground");
  const setup = setupStore.use();
  const isPhone = useCardScreen();
  return (
    <Textarea
      label={t("setup.system")}
      placeholder={t("setup.systemPlaceholder")}
      autosize
      minRows={1}
      maxRows={isPhone ? 2 : 6}
      value={setup.system}
      onChange={(event) => setupStore.set({ ...setup, system: event.currentTarget.value })}
      onBlur={keepIfWanted}
    />
  );
}
