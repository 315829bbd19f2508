import type { Delivery } from "@one-api/contract/notifications/receiver";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./notifications.module.css";

type Shown = "delivered" | "queued" | "retrying" | "given-up";

const TONES: Readonly<Record<Shown, StatusTone>> = {
  delivered: "good",
  queued: "neutral",
  retrying: "warning",
  "given-up": "danger",
};

function shownState({ status, error }: Delivery): Shown {
  if (status !== "waiting") return status;
  return error === "" ? "queued" : "retrying";
}

interface DeliveryStateProps {
  delivery: Delivery;
  withTime?: boolean;
  withCause?: boolean;
}

export function DeliveryCause({ error }: { error: string }) {
  return <span className={classes.cause}>{error}</span>;
}

export function DeliveryState({ delivery, withTime = false, withCause = true }: DeliveryStateProps) {
  const { t } = useTranslation("notifications");
  const state = shownState(delivery);
  return (
    <span className={classes.state}>
      <span className={classes.outcome}>
        <StatusBadge tone={TONES[state]}>{t(`states.${state}`)}</StatusBadge>
        {withTime && (
          <span className={classes.note}>
            <RelativeTime time={delivery.created_at} />
          </span>
        )}
      </span>
      {withCause && delivery.error !== "" && <DeliveryCause error={delivery.error} />}
    </span>
  );
}

export function DeliveryTime({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation("notifications");
  if (delivery.status === "given-up") return "–";
  if (delivery.status === "delivered") return <RelativeTime time={delivery.delivered_at} />;
  return (
    <>
      {t("due")} <RelativeTime time={delivery.next_at} />
    </>
  );
}
