import { useTranslation } from "react-i18next";
import { formatSeconds } from "../../../lib/format.ts";
import classes from "./response-time-badge.module.css";
import { responseTimeLevel } from "./response-time-level.ts";

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
