import type { Log } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../components/copy-button.tsx";
import { LogTypeBadge } from "../log-type-badge.tsx";
import { isModelCall } from "../log-types.ts";
import { readLogDetail } from "../read-log-detail.ts";
import { RequestEndBadge } from "../request-end-badge.tsx";
import { LogAttempts } from "./log-attempts.tsx";
import { LogCharge } from "./log-charge.tsx";
import { LogFacts } from "./log-facts.tsx";
import classes from "./log-sheet.module.css";

/** Everything that is known of an entry; parts that were not recorded are left out. */
export function LogSheetBody({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  const detail = readLogDetail(log);
  const isCall = isModelCall(log.type);
  return (
    <>
      <div className={classes.badges}>
        <LogTypeBadge log={log} />
        {detail !== undefined && detail.end !== "" && <RequestEndBadge end={detail.end} />}
      </div>
      {log.request_id !== "" && (
        <div className={classes.requestId}>
          <span className={classes.label}>{t("sheet.requestId")}</span>
          <code>{log.request_id}</code>
          <CopyButton text={log.request_id} label={t("sheet.copyRequestId")} />
        </div>
      )}
      <LogFacts log={log} detail={detail} />
      {isCall && <LogCharge log={log} charge={detail?.charge} />}
      {detail !== undefined && <LogAttempts detail={detail} totalMs={log.elapsed_time} />}
      {log.content !== "" && (
        <section className={classes.section}>
          <h3>{t("sheet.note")}</h3>
          <p className={classes.note}>{log.content}</p>
        </section>
      )}
      {detail === undefined && isCall && <p className={classes.note}>{t("sheet.noDetail")}</p>}
    </>
  );
}
