import type { Log } from "@one-api/contract/log";
import { IconRipple } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatSeconds } from "../../lib/format.ts";
import classes from "./log-columns.module.css";
import { readLogDetail } from "./read-log-detail.ts";

/** First byte and whole answer, with a mark on streams. */
export function TimeTakenCell({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  if (log.elapsed_time <= 0) return <span className={classes.none}>–</span>;
  const firstByteMs = readLogDetail(log)?.first_byte_ms ?? 0;
  return (
    <span className={classes.taken} title={t("columns.timeTakenHint")}>
      {log.is_stream && (
        <span className={classes.stream} title={t("stream")}>
          <IconRipple size={14} aria-hidden="true" />
          <span className="visually-hidden">{t("stream")}</span>
        </span>
      )}
      <span>
        {firstByteMs > 0 && <span className={classes.firstByte}>{(firstByteMs / 1_000).toFixed(2)} / </span>}
        {formatSeconds(log.elapsed_time)}
      </span>
    </span>
  );
}
