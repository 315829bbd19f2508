import { NumberInput, Select } from "@mantine/core";
import {
  RULE_DIRECTIONS,
  RULE_METRICS,
  RULE_WINDOWS,
  SHARE_METRICS,
} from "@one-api/contract/notifications/alert-rule-constants";
import { QuotaInput } from "../../../components/form/quota/quota-input.tsx";
import { roundToDigits } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { Target } from "./alert-targets.tsx";
import { newRuleValues, readWindow, type RuleValues } from "./rule-form-model.ts";
import { useRuleAxis } from "./rule-metrics.ts";
import classes from "./alerts.module.css";

interface RuleFieldsProps {
  values: RuleValues;
  targets: readonly Target[];
  /** The threshold is missing, or cannot be crossed. */
  isWrong: boolean;
  onChange(changes: Partial<RuleValues>): void;
}

/** Digits of a threshold that was dragged or suggested. */
const DIGITS = 3;

function ThresholdInput({ values, isWrong, onChange }: Omit<RuleFieldsProps, "targets">) {
  const { t } = useTranslation("notifications");
  const { metric, threshold } = values;
  const axis = useRuleAxis(metric);
  const isMoney = metric === "spend" || metric === "margin";
  if (isMoney) {
    const value = typeof threshold === "number" ? Math.round(threshold) : "";
    return (
      <QuotaInput
        label={t("rules.threshold")}
        data-autofocus
        error={isWrong && t("rules.thresholdProblem")}
        allowNegative={metric === "margin"}
        value={value}
        onChange={(quota) => onChange({ threshold: typeof quota === "number" ? quota : "" })}
      />
    );
  }
  const suffix = SHARE_METRICS.has(metric) ? "%" : metric.startsWith("first_byte") ? " s" : "";
  return (
    <NumberInput
      label={t("rules.threshold")}
      data-autofocus
      error={isWrong && t("rules.thresholdProblem")}
      hideControls
      thousandSeparator=","
      allowNegative={false}
      suffix={suffix}
      value={typeof threshold === "number" ? roundToDigits(threshold * axis.scale, DIGITS) : ""}
      onChange={(value) => onChange({ threshold: typeof value === "number" ? value / axis.scale : "" })}
    />
  );
}

/** Metric, threshold and receiver of an alert. */
export function RuleFields({ values, targets, isWrong, onChange }: RuleFieldsProps) {
  const { t } = useTranslation("notifications");
  const isAdmin = useIsAdmin();
  const metrics = RULE_METRICS.filter((metric) => isAdmin || metric !== "margin");
  return (
    <div className={classes.fields}>
      <Select
        label={t("rules.metric")}
        allowDeselect={false}
        data={metrics.map((value) => ({ value, label: t(`rules.metrics.${value}`) }))}
        value={values.metric}
        onChange={(chosen) => {
          const metric = metrics.find((known) => known === chosen);
          if (metric !== undefined) onChange({ ...newRuleValues(metric), receiver: values.receiver });
        }}
      />
      <Select
        label={t("rules.direction")}
        allowDeselect={false}
        data={RULE_DIRECTIONS.map((value) => ({ value, label: t(`rules.directions.${value}`) }))}
        value={values.direction}
        onChange={(chosen) => {
          const direction = RULE_DIRECTIONS.find((known) => known === chosen);
          if (direction !== undefined) onChange({ direction });
        }}
      />
      <ThresholdInput key={values.metric} values={values} isWrong={isWrong} onChange={onChange} />
      <Select
        label={t("rules.window")}
        allowDeselect={false}
        data={RULE_WINDOWS.map((value) => ({ value: String(value), label: t(`rules.windows.${value}`) }))}
        value={String(values.window)}
        onChange={(chosen) => {
          const window = readWindow(chosen);
          if (window !== undefined) onChange({ window });
        }}
      />
      <Select
        label={t("rules.target")}
        allowDeselect={false}
        disabled={targets.length === 0}
        data={targets.map(({ value, label }) => ({ value: String(value), label }))}
        value={values.receiver === undefined ? null : String(values.receiver)}
        onChange={(chosen) => {
          if (chosen !== null) onChange({ receiver: Number(chosen) });
        }}
      />
    </div>
  );
}
