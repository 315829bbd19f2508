import type { Log } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import classes from "./log-columns.module.css";
import { readLogDetail } from "./read-log-detail.ts";
import { RequestEndBadge } from "./request-end-badge.tsx";

const RATIO_DIGITS = 3;

/** A ratio with three digits that count; the entry's sheet has all of them. */
function shortRatio(ratio: number): number {
  return Number(ratio.toPrecision(RATIO_DIGITS));
}

/** What there is to say of an entry in one line: how it went wrong, what it was charged by, or the server's own words. */
export function LogDetailsCell({ log }: { log: Log }) {
  const { t } = useTranslation("logs");
  const detail = readLogDetail(log);
  const charge = detail?.charge;
  const title = log.content;
  if (detail !== undefined && detail.end !== "" && detail.end !== "complete") {
    return (
      <span className={classes.details} title={title}>
        <RequestEndBadge end={detail.end} />
      </span>
    );
  }
  if (charge?.rule === "estimated" || charge?.rule === "partial") {
    return (
      <span className={classes.details} title={title}>
        <StatusBadge tone="warning">{t(`charge.short.${charge.rule}`)}</StatusBadge>
      </span>
    );
  }
  const words =
    charge === undefined
      ? title
      : t("charge.ratios", {
          model: shortRatio(charge.model_ratio),
          group: shortRatio(charge.group_ratio),
          completion: shortRatio(charge.completion_ratio),
        });
  return (
    <span className={classes.details} title={title}>
      <span className={classes.words}>{words === "" ? "–" : words}</span>
    </span>
  );
}
