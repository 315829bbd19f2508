import { useTranslation } from "../lib/i18n/use-translation.ts";
import classes from "./loading-placeholder.module.css";

export function LoadingPlaceholder({ prompt }: { prompt?: string }) {
  const { t } = useTranslation();
  return (
    <div className={classes.placeholder} role="status" data-loading>
      <span className={classes.bar} aria-hidden="true" />
      {t("loading", { prompt: prompt ?? t("loadingPage") })}
    </div>
  );
}
