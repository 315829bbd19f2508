import type { Log, LogDetail } from "@one-api/contract/log";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { useIsAdmin } from "../../../lib/session.ts";
import { isModelCall } from "../log-types.ts";
import classes from "./log-sheet.module.css";

interface Fact {
  label: string;
  value: ReactNode;
}

/** Completion tokens per second of delivery; undefined when it was too short to say. */
function speedOf(log: Log, detail: LogDetail | undefined): string | undefined {
  const deliveryMs = log.elapsed_time - (detail?.first_byte_ms ?? 0);
  if (!log.is_stream || detail === undefined || log.completion_tokens === 0 || deliveryMs < 100) return undefined;
  return (log.completion_tokens / (deliveryMs / 1_000)).toFixed(1);
}

/** The entry's facts: when, who, which model, how quick. */
export function LogFacts({ log, detail }: { log: Log; detail: LogDetail | undefined }) {
  const { t } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const speed = speedOf(log, detail);
  const isCall = isModelCall(log.type);
  const firstByteMs = detail?.first_byte_ms ?? 0;
  const facts: (Fact | false)[] = [
    { label: t("sheet.time"), value: <TimeText time={log.created_at} /> },
    isAdmin && log.username !== "" && { label: t("sheet.user"), value: log.username },
    log.token_name !== "" && { label: t("sheet.token"), value: log.token_name },
    isAdmin && log.channel !== 0 && { label: t("sheet.channel"), value: `#${log.channel}` },
    log.model_name !== "" && { label: t("sheet.asked"), value: log.model_name },
    detail !== undefined && detail.upstream_model !== "" && { label: t("sheet.served"), value: detail.upstream_model },
    isCall && { label: t("sheet.transfer"), value: log.is_stream ? t("stream") : t("sheet.whole") },
    firstByteMs > 0 && { label: t("sheet.firstByte"), value: formatSeconds(firstByteMs) },
    log.elapsed_time > 0 && { label: t("sheet.total"), value: formatSeconds(log.elapsed_time) },
    speed !== undefined && { label: t("sheet.speed"), value: t("sheet.speedValue", { amount: speed }) },
    !isCall && log.quota !== 0 && { label: t("columns.quota"), value: <QuotaText quota={log.quota} /> },
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
