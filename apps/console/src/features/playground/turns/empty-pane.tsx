import { Button } from "@mantine/core";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { draftStore } from "../chat/playground-store.ts";
import classes from "./chat-panes.module.css";
import { COMPOSER_ID } from "./composer.tsx";

const EXAMPLES = ["explain", "code", "json"] as const;

/** A conversation without messages. An example is put into the message, and sent by the user. */
export function EmptyPane({ hasExamples }: { hasExamples: boolean }) {
  const { t } = useTranslation("playground");
  const take = (text: string) => {
    draftStore.set({ ...draftStore.get(), text });
    document.getElementById(COMPOSER_ID)?.focus();
  };
  return (
    <div className={classes.empty}>
      <p className={classes.emptyText}>{t("empty")}</p>
      {hasExamples &&
        EXAMPLES.map((name) => (
          <Button key={name} variant="default" onClick={() => take(t(`examples.${name}`))}>
            {t(`examples.${name}`)}
          </Button>
        ))}
    </div>
  );
}
