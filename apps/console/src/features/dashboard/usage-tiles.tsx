import type { Dashboard, Usage } from "@one-api/contract/usage/dashboard";
import { formatCompact, formatInteger, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import type { Scope } from "./breakdown/dashboard-scope.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { UsageDifference } from "./usage-difference.tsx";
import { useTotalText } from "./usage-metrics.ts";
import { UsageTrend } from "./usage-trend.tsx";
import { useIntervalTimes } from "./wall/wall-queries.ts";
import classes from "./usage-tiles.module.css";

interface UsageTilesProps {
  dashboard: Dashboard | undefined;
  scope: Scope;
  isPending: boolean;
  metrics: readonly DashboardMetric[];
  chosen: DashboardMetric;
  onChoose(metric: DashboardMetric): void;
}

interface NoteProps {
  text: string;
  exact: string;
}

const NO_NOTE: NoteProps = { text: "", exact: "" };

function Note({ text, exact }: NoteProps) {
  return (
    <span className={classes.note} title={exact}>
      {text}
    </span>
  );
}

function useNote(): (metric: DashboardMetric, total: Usage) => NoteProps {
  const { t, language } = useTranslation("dashboard");
  const quota = useFormatQuota();
  const noteWith = (count: (value: number) => string, metric: DashboardMetric, total: Usage): string => {
    const { requests, errors, refused, prompt_tokens, completion_tokens, cached_tokens, cost = 0 } = total;
    if (requests === 0 && metric !== "requests") return "";
    if (metric === "spend") return t("notes.spend", { amount: quota(total.quota / requests) });
    if (metric === "requests") return refused === 0 ? "" : t("notes.requests", { refused: count(refused) });
    if (metric === "tokens") return t("notes.tokens", { in: count(prompt_tokens), out: count(completion_tokens) });
    if (metric === "errors") return t("notes.errors", { errors: count(errors), requests: count(requests) });
    if (metric === "first_byte") {
      const { first_byte_p95_ms: p95 } = total;
      return p95 === null ? "" : t("notes.firstByte", { p95: formatSeconds(p95) });
    }
    if (metric === "margin") return t("notes.margin", { cost: quota(cost) });
    return prompt_tokens === 0 ? "" : t("notes.cache", { cached: count(cached_tokens), prompt: count(prompt_tokens) });
  };
  return (metric, total) => ({
    text: noteWith((value) => formatCompact(value, language), metric, total),
    exact: noteWith((value) => formatInteger(value, language), metric, total),
  });
}

/** From so many characters on a total is written smaller, and smaller still. */
const LONG = { long: 11, longer: 15 } as const;

/** A total in one line: digits that go on in the next one are read as another number. */
function Value({ text }: { text: string }) {
  const size = text.length > LONG.longer ? "longer" : text.length > LONG.long ? "long" : "short";
  return (
    <span className={classes.value} data-size={size} title={text}>
      {text}
    </span>
  );
}

const NO_EDGES: readonly number[] = [];
const NO_USAGE: readonly Usage[] = [];

/** Totals of the metrics. Chart and breakdown show the chosen one. */
export function UsageTiles({ dashboard, scope, isPending, metrics, chosen, onChoose }: UsageTilesProps) {
  const { t } = useTranslation("dashboard");
  const text = useTotalText();
  const note = useNote();
  const times = useIntervalTimes(scope, dashboard?.edges ?? NO_EDGES).data ?? NO_USAGE;
  const total = dashboard?.total;
  const before = dashboard?.is_complete === true ? dashboard.before : null;
  return (
    <div className={classes.tiles} role="group" aria-label={t("metrics.title")}>
      {metrics.map((metric) => (
        <button
          key={metric}
          type="button"
          className={classes.tile}
          aria-pressed={metric === chosen}
          onClick={() => onChoose(metric)}
        >
          <span className={classes.label}>{t(`metrics.${metric}`)}</span>
          <span className={classes.figure}>
            <Value text={total === undefined ? (isPending ? "…" : "–") : text(metric, total)} />
            <span className={classes.trend}>
              <UsageTrend parts={metric === "first_byte" ? times : (dashboard?.parts ?? NO_USAGE)} metric={metric} />
            </span>
          </span>
          {total !== undefined && before !== null && <UsageDifference metric={metric} total={total} before={before} />}
          <Note {...(total === undefined ? NO_NOTE : note(metric, total))} />
        </button>
      ))}
    </div>
  );
}
