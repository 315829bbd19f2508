import { ALERT_KINDS, type SentAlertKind } from "@one-api/contract/notifications/notification-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./notifications.module.css";

/** Kinds of alerts in words: the first one and the number of the others, whose names are the tip. */
export function AlertKinds({ kinds }: { kinds: readonly SentAlertKind[] }) {
  const { t } = useTranslation("notifications");
  if (kinds.length === ALERT_KINDS.length) return <span className={classes.kinds}>{t("allAlerts")}</span>;
  // A receiver without any gets those of charts.
  const [first = "threshold-crossed", ...others] = kinds;
  const names = [first, ...others].map((kind) => t(`alerts.${kind}`)).join(t("separator"));
  const name = t(`alerts.${first}`);
  return (
    <span className={classes.kinds} title={names}>
      {others.length === 0 ? name : t("moreAlerts", { name, count: others.length })}
    </span>
  );
}
