import type { Channel } from "@one-api/contract/channels/channel";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { TrendCell } from "../../../components/charts/trend-cell.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger, formatPercent, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { useChannelDay } from "./day-traffic.tsx";
import { errorLevel } from "./error-level.ts";
import classes from "./traffic-cells.module.css";

export function RequestsCell({ channel: { id, name } }: { channel: Channel }) {
  const { t, language } = useTranslation("channels");
  const { isKnown, day } = useChannelDay(id);
  return (
    <TrendCell
      values={day?.hours ?? []}
      label={t("traffic.course", { name })}
      tone={day !== undefined && errorLevel(day) === "danger" ? "danger" : "accent"}
    >
      {day === undefined ? isKnown && "–" : formatInteger(day.requests, language)}
    </TrendCell>
  );
}

export function ErrorRate({ requests, errors }: { requests: number; errors: number }) {
  const { t, language } = useTranslation("channels");
  if (requests === 0) return "–";
  return (
    <span
      className={classes.errors}
      data-level={errorLevel({ requests, errors })}
      title={t("traffic.failed", {
        errors: formatInteger(errors, language),
        requests: formatInteger(requests, language),
      })}
    >
      {formatPercent(errors / requests, language, 2)}
    </span>
  );
}

export function ErrorsCell({ channel: { id, name } }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const { isKnown, day } = useChannelDay(id);
  const rate = day === undefined ? isKnown && "–" : <ErrorRate requests={day.requests} errors={day.errors} />;
  return (
    <span className={classes.number}>
      {day === undefined || day.errors === 0 ? (
        rate
      ) : (
        <TextLink
          className={classes.link ?? ""}
          to="/log"
          search={{ channel: [id], result: ["errors"], range: "day" }}
          inherit
        >
          {rate}
          <span className="visually-hidden"> {t("traffic.showErrors", { name })}</span>
        </TextLink>
      )}
    </span>
  );
}

export function SpendCell({ channel: { id } }: { channel: Channel }) {
  const { isKnown, day } = useChannelDay(id);
  return <span className={classes.number}>{day === undefined ? isKnown && "–" : <QuotaText quota={day.quota} />}</span>;
}

export function FirstTokenCell({ channel: { id } }: { channel: Channel }) {
  const { isKnown, day } = useChannelDay(id);
  const time = day?.first_byte_p50_ms ?? null;
  return <span className={classes.number}>{time === null ? isKnown && "–" : formatSeconds(time)}</span>;
}

const MOST_DAYS = 365;
const WARNING_DAYS = 7;
const DANGER_DAYS = 2;

/** Days that a balance in dollars lasts at the cost of the last 24 hours. */
export function DaysLeft({ channel: { id, type, balance, balance_updated_time: askedAt } }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const { day } = useChannelDay(id);
  // The prices are in dollars: balances in other units cannot be compared with them.
  if (channelTypeInfo(type)?.balance !== "dollar" || askedAt === 0 || day === undefined || day.cost === 0) return null;
  const days = balance / (day.cost / quotaPerUnit);
  if (days > MOST_DAYS) return null;
  const level = days < DANGER_DAYS ? "danger" : days < WARNING_DAYS ? "warning" : "normal";
  const count = Math.max(0, Math.floor(days));
  return (
    <span className={classes.days} data-level={level} title={t("traffic.daysHint")}>
      {count === 0 ? t("traffic.underOneDay") : t("traffic.daysLeft", { count })}
    </span>
  );
}
