import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import type { RuleMetric } from "@one-api/contract/notifications/alert-rule-constants";
import { useState } from "react";
import { useIsAdmin } from "../../../lib/state/session.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { useWindowUsage } from "./alert-rule-queries.ts";
import { useTargets } from "./alert-targets.tsx";
import { newRuleValues, rulePayload, type RuleValues, storedRuleValues } from "./rule-form-model.ts";
import { ruleScopeOf, ruleValueOf, scopeOfRule, suggestThreshold, useRuleAxis, windowEdges } from "./rule-metrics.ts";

/** A new rule for a metric of the requests that the page shows, or a stored one. */
export type RuleSubject =
  | { readonly metric: RuleMetric; readonly scope: Scope; readonly rule?: never }
  | { readonly rule: AlertRule; readonly metric?: never; readonly scope?: never };

/** Values of the form, with suggestions for those that are not entered yet, and the usage that they are compared with. */
export function useRuleForm({ rule, metric, scope }: RuleSubject) {
  const isAdmin = useIsAdmin();
  const watched = rule === undefined ? scope : scopeOfRule(isAdmin ? rule : { ...rule, user: 0 });
  const [entered, setEntered] = useState(rule === undefined ? newRuleValues(metric) : storedRuleValues(rule));
  const [now] = useState(Date.now);
  const targets = useTargets();
  const { scale } = useRuleAxis(entered.metric);
  const edges = windowEdges(entered.window, now);
  const { data: usage = [] } = useWindowUsage(watched, edges);
  const found = usage.map((part) => ruleValueOf(entered.metric, part));
  const values: RuleValues = {
    ...entered,
    threshold: entered.threshold ?? suggestThreshold(found, entered.direction, scale),
    receiver: entered.receiver ?? targets?.[0]?.value,
  };
  return {
    values,
    payload: rulePayload(values, ruleScopeOf(watched)),
    watched,
    targets,
    edges,
    usage,
    enter: (changes: Partial<RuleValues>) => setEntered({ ...entered, ...changes }),
  };
}
