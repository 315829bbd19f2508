import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/copy-button.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { usePublicStatus } from "../shell/status-queries.ts";
import { useApiAddress } from "./use-api-address.ts";
import classes from "./system-facts.module.css";

/** Whether the system answers, since when, its version and where calls go. */
export function SystemFacts() {
  const { t } = useTranslation("home");
  const status = usePublicStatus();
  const { version } = useStoredStatus();
  const address = useApiAddress();
  return (
    <dl className={classes.facts}>
      <div className={classes.wide}>
        <dt>{t("facts.address")}</dt>
        <dd className={classes.address}>
          <code>{address}</code>
          <CopyButton text={address} label={t("facts.copyAddress")} />
        </dd>
      </div>
      <div>
        <dt>{t("facts.status")}</dt>
        <dd>
          <StatusBadge tone={status.isServerGone ? "danger" : status.isSuccess ? "good" : "neutral"}>
            {t(status.isServerGone ? "facts.unreachable" : status.isSuccess ? "facts.running" : "facts.asking")}
          </StatusBadge>
        </dd>
      </div>
      <div>
        <dt>{t("facts.version")}</dt>
        <dd>{version || "–"}</dd>
      </div>
      <div>
        <dt>{t("facts.since")}</dt>
        <dd>
          <TimeText time={status.data?.start_time ?? 0} />
        </dd>
      </div>
    </dl>
  );
}
