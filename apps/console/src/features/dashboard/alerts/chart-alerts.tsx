import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import { IconBell, IconBellRinging } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { formatTime } from "../../../lib/format.ts";
import { useRuleText } from "./use-rule-text.ts";
import classes from "./alerts.module.css";

const AlertDialog = lazyPart(() => import("./alert-dialog.tsx"), ["notifications", "refusals"]);

/** The alerts of a chart below it. A press changes one. */
export default function ChartAlerts({ rules }: { rules: readonly AlertRule[] }) {
  const { t } = useTranslation("notifications");
  const text = useRuleText();
  const [changed, setChanged] = useState<AlertRule>();
  return (
    <>
      <ul className={classes.chips} aria-label={t("rules.ofChart")}>
        {rules.map((rule) => {
          const isCrossed = rule.crossed_at > 0;
          const Icon = isCrossed ? IconBellRinging : IconBell;
          return (
            <li key={rule.id}>
              <button type="button" className={classes.chip} data-crossed={isCrossed} onClick={() => setChanged(rule)}>
                <Icon size={14} aria-hidden="true" />
                {text(rule)}
                {isCrossed && ` · ${t("rules.crossed", { time: formatTime(rule.crossed_at) })}`}
              </button>
            </li>
          );
        })}
      </ul>
      {changed !== undefined && <AlertDialog rule={changed} onClose={() => setChanged(undefined)} />}
    </>
  );
}
