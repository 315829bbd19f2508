import type { Usage } from "@one-api/contract/usage/dashboard";
import { useMemo, useState } from "react";
import { useChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ChartFrame } from "../../../components/charts/chart-frame.tsx";
import type { ChartModel } from "../../../components/charts/chart-model.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { RuleValues } from "./rule-form-model.ts";
import { countCrossings, ruleValueOf, useRuleAxis, useRuleValueText } from "./rule-metrics.ts";
import { ThresholdLine } from "./threshold-line.tsx";
import classes from "./alerts.module.css";

/** Room above the threshold and the highest value, so that the line can be dragged up. */
const HEADROOM = 1.25;

interface RulePreviewProps {
  values: RuleValues;
  edges: readonly number[];
  usage: readonly Usage[];
  onChange(threshold: number): void;
}

type Range = readonly [least: number, most: number];

function rangeOf(values: readonly (number | null)[], line: number): Range {
  const known = values.filter((value) => value !== null);
  const most = Math.max(line, ...known, 0);
  return [Math.min(line, ...known, 0) * HEADROOM, most === 0 ? 1 : most * HEADROOM];
}

interface CrossingsProps {
  rule: RuleValues;
  found: readonly (number | null)[];
}

/** How often the threshold was crossed. */
function Crossings({ rule: { direction, window, threshold }, found }: CrossingsProps) {
  const { t } = useTranslation("notifications");
  const period = t(`rules.periods.${window}`);
  if (found.every((value) => value === null)) return t("rules.noValues", { period });
  if (typeof threshold !== "number") return null;
  const count = countCrossings(found, direction, threshold);
  return t(count === 0 ? "rules.notCrossed" : "rules.crossings", { count, period });
}

/** The metric in the last windows with the threshold as a line, and how often it was crossed. */
export function RulePreview({ values, edges, usage, onChange }: RulePreviewProps) {
  const { t } = useTranslation("notifications");
  const { metric, threshold } = values;
  const cursor = useChartCursor();
  const axis = useRuleAxis(metric);
  const valueText = useRuleValueText();
  const [dragged, setDragged] = useState<Range>();
  const found = useMemo(() => usage.map((part) => ruleValueOf(metric, part)), [usage, metric]);
  const scaled = useMemo(() => found.map((value) => (value === null ? null : value * axis.scale)), [found, axis]);
  const line = typeof threshold === "number" ? threshold * axis.scale : undefined;
  const [least, most] = dragged ?? rangeOf(scaled, line ?? 0);
  const chart = useMemo((): ChartModel => {
    const series = [{ key: "values", look: "bars", colour: "var(--mantine-color-anchor)", values: scaled }] as const;
    return { edges, series, tickText: axis.tickText, range: [least, most] };
  }, [edges, scaled, axis, least, most]);
  return (
    <figure className={classes.preview} aria-label={t("rules.preview", { metric: t(`rules.metrics.${metric}`) })}>
      <ChartFrame chart={chart} cursor={cursor} size="small">
        {line !== undefined && (
          <ThresholdLine
            range={[least, most]}
            value={line}
            label={t("rules.threshold")}
            valueText={valueText(metric, line / axis.scale)}
            onChange={(next) => onChange(next / axis.scale)}
            onDrag={(isDragging) => setDragged(isDragging ? [least, most] : undefined)}
          />
        )}
      </ChartFrame>
      <figcaption className={classes.note}>
        <Crossings rule={values} found={found} />
      </figcaption>
    </figure>
  );
}
