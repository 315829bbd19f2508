import { useTranslation } from "react-i18next";
import { formatSeconds } from "../../../lib/format.ts";
import classes from "./response-time-badge.module.css";

/** How quick a channel answered its last test. */
type ResponseTimeLevel = "untested" | "quick" | "fair" | "slow" | "very-slow";

const QUICK_MS = 1_000;
const FAIR_MS = 3_000;
const SLOW_MS = 5_000;

/** Judges a response time in ms; 0 is untested. */
export function responseTimeLevel(responseTimeMs: number): ResponseTimeLevel {
  if (responseTimeMs <= 0) return "untested";
  if (responseTimeMs <= QUICK_MS) return "quick";
  if (responseTimeMs <= FAIR_MS) return "fair";
  return responseTimeMs <= SLOW_MS ? "slow" : "very-slow";
}

/** The response time of a channel's last test, in ms: its seconds, with a dot in the colour of its level. */
export function ResponseTimeBadge({ responseTimeMs }: { responseTimeMs: number }) {
  const { t } = useTranslation("channels");
  const level = responseTimeLevel(responseTimeMs);
  return (
    <span className={classes.badge} data-level={level} title={t(`speed.${level}`)}>
      <span className={classes.dot} aria-hidden="true" />
      {level === "untested" ? t("speed.untested") : formatSeconds(responseTimeMs)}
    </span>
  );
}
