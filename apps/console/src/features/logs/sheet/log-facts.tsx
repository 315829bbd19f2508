import type { Log, LogDetail } from "@one-api/contract/log";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { useIsAdmin } from "../../../lib/session.ts";
import { isModelCall } from "../log-types.ts";
import classes from "./log-sheet.module.css";

type Fact = readonly [label: string, value: ReactNode];

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
    [t("sheet.time"), <TimeText time={log.created_at} />],
    isAdmin && log.username !== "" && [t("sheet.user"), log.username],
    log.token_name !== "" && [t("sheet.token"), log.token_name],
    isAdmin && log.channel !== 0 && [t("sheet.channel"), `#${log.channel}`],
    log.model_name !== "" && [t("sheet.asked"), log.model_name],
    detail !== undefined && detail.upstream_model !== "" && [t("sheet.served"), detail.upstream_model],
    isCall && [t("sheet.transfer"), log.is_stream ? t("stream") : t("sheet.whole")],
    firstByteMs > 0 && [t("sheet.firstByte"), formatSeconds(firstByteMs)],
    log.elapsed_time > 0 && [t("sheet.total"), formatSeconds(log.elapsed_time)],
    speed !== undefined && [t("sheet.speed"), t("sheet.speedValue", { amount: speed })],
    !isCall && log.quota !== 0 && [t("columns.quota"), <QuotaText quota={log.quota} />],
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
