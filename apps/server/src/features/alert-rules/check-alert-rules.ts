import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type Alert, alertMessage, endAlertState, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { amountText, mailIsSetUp, mailLanguage, queueMessage } from "../mail/index.ts";
import { isWithinLimit } from "../verification/index.ts";
import { mayWatch } from "./alert-rule.policy.ts";
import { claimDueRules, type DueAlertRule } from "./alert-rule.repository.ts";
import { measureRule } from "./measure-rule.ts";

/** Between two measurements of a rule. */
const EVERY_SECONDS = 60;
/** A crossing lasts so long at least, so that a value that swings around the threshold sends few messages. */
const LEAST_CROSSED_SECONDS = 600;
/** Rules measured between two looks at the time. */
const STEP = 20;
/** A server measures rules so long in each run at most. Others follow in the next run. */
const MOST_MS = 10_000;
const MAILS = { most: 30, windowSeconds: 3_600 } as const;

interface RuleCheckDeps extends Pick<CallContext, "database" | "clock" | "logStore"> {
  readonly options: OptionStore;
}

type CrossedAlert = Extract<Alert, { kind: "threshold-crossed" }>;

/**
 * Measures the due rules and queues an alert for each crossed threshold, and for each that is no longer crossed. Of several
 * servers, one measures a rule. A server without a log store leaves it to the others. Returns the number of alerts.
 */
export async function checkAlertRules(deps: RuleCheckDeps): Promise<number> {
  if ((await deps.logStore.status()).state === "off") return 0;
  const { database, clock } = deps;
  const endsAt = clock.nowMs() + MOST_MS;
  let alerts = 0;
  while (clock.nowMs() < endsAt) {
    const now = nowSeconds(clock);
    const claim = { now, dueAt: now - EVERY_SECONDS, limit: STEP };
    const rules = await inTransaction(database, (transaction) => claimDueRules(transaction, claim));
    for (const rule of rules) if (await checkRule(deps, rule, now)) alerts += 1;
    if (rules.length < STEP) break;
  }
  return alerts;
}

async function checkRule(deps: RuleCheckDeps, rule: DueAlertRule, now: number): Promise<boolean> {
  if (rule.ownerStatus !== USER_STATUS.enabled || !mayWatch(rule, rule.ownerRole)) return false;
  const value = await measureRule(deps, rule, now).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (value === undefined) return false;
  const isCrossed = rule.direction === "above" ? value > rule.threshold : value < rule.threshold;
  if (isCrossed === rule.crossedAt > 0) return false;
  const state = { kind: "alert-rule", id: rule.id, level: 1, at: now } as const;
  return inTransaction(deps.database, async (transaction) => {
    const isNews = isCrossed
      ? await raiseAlertState(transaction, state)
      : await endAlertState(transaction, state, now - LEAST_CROSSED_SECONDS);
    if (isNews) await queue(transaction, deps, { rule, alert: alertOf(deps.options, rule, { value, isCrossed }), now });
    return isNews;
  });
}

function alertOf(
  options: OptionStore,
  rule: DueAlertRule,
  { value, isCrossed }: { readonly value: number; readonly isCrossed: boolean },
): CrossedAlert {
  const { metric, direction, threshold, windowMinutes: minutes, receiverId: receiver, filter } = rule;
  const of = {
    // Owners know that their mails are about themselves.
    user: receiver === 0 && filter.userId === rule.userId ? "" : rule.username,
    channel: rule.channelName,
    model: filter.modelName,
    token: filter.tokenName,
    alias: filter.alias,
  };
  const text = (amount: number) => valueText(options, metric, amount);
  return {
    kind: "threshold-crossed",
    rule: rule.id,
    receiver,
    state: isCrossed ? "crossed" : "ended",
    metric,
    direction,
    value: text(value),
    threshold: text(threshold),
    minutes,
    of: Object.fromEntries(Object.entries(of).filter(([, name]) => name !== "")),
  };
}

function valueText(options: OptionStore, metric: DueAlertRule["metric"], value: number): string {
  switch (metric) {
    case "spend":
    case "margin":
      return value < 0 ? `-${amountText(options, -value)}` : amountText(options, value);
    case "errors":
    case "cache":
      return `${(value * 100).toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;
    case "first_byte":
    case "first_byte_p95":
      return `${(value / 1_000).toFixed(2)} s`;
    default:
      return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
  }
}

interface News {
  readonly rule: DueAlertRule;
  readonly alert: CrossedAlert;
  readonly now: number;
}

/** For the rule's receiver, or as a mail to its owner. */
async function queue(transaction: Queryable, { options }: RuleCheckDeps, { rule, alert, now }: News): Promise<void> {
  if (rule.receiverId !== 0) return queueAlert(transaction, alert, now);
  if (rule.ownerEmail === "" || !mailIsSetUp(options)) return;
  const limit = { subject: `alert-rules:${rule.userId}`, ...MAILS };
  if (!(await isWithinLimit(transaction, limit, now))) return;
  const list = { alerts: [{ at: now, alert }], count: 1 };
  const message = alertMessage(options, list, mailLanguage(rule.ownerLanguage));
  await queueMessage(transaction, { recipient: rule.ownerEmail, message, at: now });
}
