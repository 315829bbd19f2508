import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { EmptyState } from "./empty-state.tsx";

/** Says that filters leave nothing, and clears them. */
export function NoMatch({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("noMatch.title")}
      text={t("noMatch.text")}
      action={
        <Button variant="default" onClick={onClear}>
          {t("noMatch.clear")}
        </Button>
      }
    />
  );
}
