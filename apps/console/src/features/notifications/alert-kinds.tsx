import { ALERT_KINDS, type AlertKind } from "@one-api/contract/notifications/notification-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./notifications.module.css";

export function AlertKinds({ kinds }: { kinds: readonly AlertKind[] }) {
  const { t } = useTranslation("notifications");
  const isAll = kinds.length === ALERT_KINDS.length;
  return (
    <span className={classes.kinds}>
      {isAll ? t("allAlerts") : kinds.map((kind) => t(`alerts.${kind}`)).join(t("separator"))}
    </span>
  );
}
