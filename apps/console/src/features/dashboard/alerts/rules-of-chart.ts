import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import { SUM_METRICS } from "@one-api/contract/notifications/alert-rule-constants";
import { useMemo } from "react";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import type { DashboardMetric } from "../dashboard-search.ts";
import { useAlertRules } from "./alert-rule-queries.ts";
import { isOfScope } from "./rule-metrics.ts";

/** The rules that watch a metric of the requests that the page shows. Stays the same between renders. */
export function useRulesOf(metric: DashboardMetric, scope: Scope): readonly AlertRule[] {
  const isAdmin = useIsAdmin();
  const ownId = useCurrentUser()?.id ?? 0;
  const { data } = useAlertRules();
  const { user = 0, channel, model, token, alias } = scope;
  return useMemo(() => {
    const watched = isAdmin ? user : ownId;
    const isShown = (rule: AlertRule) =>
      rule.metric === metric || (metric === "first_byte" && rule.metric === "first_byte_p95");
    return (data ?? []).filter((rule) => isShown(rule) && isOfScope(rule, { channel, model, token, alias }, watched));
  }, [data, metric, isAdmin, ownId, user, channel, model, token, alias]);
}

/** Thresholds that mean the same on a chart with these edges: a sum is compared with bars of its own length alone. */
export function linesOf(rules: readonly AlertRule[], edges: readonly number[]): readonly number[] {
  const [first = 0, second = 0] = edges;
  return rules
    .filter(({ metric, window_minutes: window }) => !SUM_METRICS.has(metric) || window * 60 === second - first)
    .map(({ threshold }) => threshold);
}
