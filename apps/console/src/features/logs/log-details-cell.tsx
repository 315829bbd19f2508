import type { Log } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import classes from "./log-columns.module.css";
import { readLogDetail } from "./read-log-detail.ts";
import { RequestEndBadge } from "./request-end-badge.tsx";

/** What there is to say of an entry in one line: how it went wrong, what it was charged by, or the server's own words. */
export function LogDetailsCell({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  const detail = readLogDetail(log);
  const charge = detail?.charge;
  const hasFailed = detail !== undefined && detail.end !== "" && detail.end !== "complete";
  const ratios =
    charge === undefined
      ? undefined
      : t("charge.ratios", { model: charge.model_ratio, group: charge.group_ratio, completion: charge.completion_ratio });
  const text = ratios ?? (hasFailed ? t("charge.free") : log.content);
  return (
    <span className={classes.details} title={log.content}>
      {hasFailed && <RequestEndBadge end={detail.end} />}
      {!hasFailed && charge?.rule === "estimated" && <StatusBadge tone="warning">{t("charge.short.estimated")}</StatusBadge>}
      {!hasFailed && charge?.rule === "partial" && <StatusBadge tone="warning">{t("charge.short.partial")}</StatusBadge>}
      <span className={classes.words}>{text === "" ? "–" : text}</span>
    </span>
  );
}
