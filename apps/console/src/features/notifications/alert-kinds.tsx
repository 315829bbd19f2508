import { ALERT_KINDS, type SentAlertKind } from "@one-api/contract/notifications/notification-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./notifications.module.css";

/** Kinds of alerts in words. A receiver without any gets those of charts. */
export function AlertKinds({ kinds }: { kinds: readonly SentAlertKind[] }) {
  const { t } = useTranslation("notifications");
  const isAll = kinds.length === ALERT_KINDS.length;
  const shown = kinds.length === 0 ? (["threshold-crossed"] as const) : kinds;
  return (
    <span className={classes.kinds}>
      {isAll ? t("allAlerts") : shown.map((kind) => t(`alerts.${kind}`)).join(t("separator"))}
    </span>
  );
}
