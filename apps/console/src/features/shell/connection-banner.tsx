import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./connection-banner.module.css";

/** Says that the server cannot be reached; what is on the screen stays usable. */
export function ConnectionBanner({ onRetry, isRetrying }: { onRetry(): void; isRetrying: boolean }) {
  const { t } = useTranslation(["shell", "common"]);
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={18} aria-hidden="true" />
      <div className={classes.text}>
        <strong className={classes.message}>{t("shell:cannotConnect")}</strong>
        <span>{t("shell:cannotConnectHint")}</span>
      </div>
      <Button size="xs" variant="default" loading={isRetrying} onClick={onRetry}>
        {t("common:retry")}
      </Button>
    </div>
  );
}
