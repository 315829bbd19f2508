import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useRuleValueText } from "./rule-metrics.ts";

/** Returns the sentence of a rule: "Spend above $5.00 in 1 hour". */
export function useRuleText(): (
  rule: Pick<AlertRule, "metric" | "direction" | "threshold" | "window_minutes">,
) => string {
  const { t } = useTranslation("notifications");
  const valueText = useRuleValueText();
  return ({ metric, direction, threshold, window_minutes: window }) =>
    t(`rules.sentence.${direction}`, {
      metric: t(`rules.metrics.${metric}`),
      value: valueText(metric, threshold),
      window: t(`rules.windows.${window}`),
    });
}
