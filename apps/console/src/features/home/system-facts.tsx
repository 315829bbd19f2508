import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../../components/boxes/card.tsx";
import { Facts } from "../../components/boxes/facts.tsx";
import { CopyButton } from "../../components/buttons/copy-button.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { usePublicStatus } from "../shell/status-queries.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import classes from "./system-facts.module.css";

export function SystemFacts() {
  const { t } = useTranslation("home");
  const status = usePublicStatus();
  const { version } = useStoredStatus();
  const isAdmin = useIsAdmin();
  const address = `${useServerAddress()}/v1`;
  return (
    <Card>
      <Facts
        layout="row"
        facts={[
          {
            label: t("facts.address"),
            isWide: true,
            value: (
              <>
                <code className={classes.address}>{address}</code>
                <CopyButton text={address} label={t("facts.copyAddress")} />
              </>
            ),
          },
          {
            label: t("facts.status"),
            value: (
              <StatusBadge tone={status.isServerGone ? "danger" : status.isSuccess ? "good" : "neutral"}>
                {t(status.isServerGone ? "facts.unreachable" : status.isSuccess ? "facts.running" : "facts.asking")}
              </StatusBadge>
            ),
          },
          ...(isAdmin
            ? [
                { label: t("facts.version"), value: version || "–", isNumber: true },
                { label: t("facts.since"), value: <TimeText time={status.data?.start_time ?? 0} />, isWide: true },
              ]
            : []),
        ]}
      />
    </Card>
  );
}
