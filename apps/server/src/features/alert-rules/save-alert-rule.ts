import type {
  AlertRule,
  createAlertRuleInputSchema,
  updateAlertRule,
} from "@one-api/contract/notifications/alert-rule";
import { RULE_LIMITS } from "@one-api/contract/notifications/alert-rule-constants";
import type { z } from "zod";
import { type Actor, actorIsAdmin } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { clearAlertStates } from "../alerts/index.ts";
import { findReceiverName } from "../notifications/index.ts";
import { findUser } from "../users/index.ts";
import { alertRuleNotFound, maySee, mayWatch } from "./alert-rule.policy.ts";
import { presentAlertRule } from "./alert-rule.present.ts";
import {
  countAlertRulesOf,
  deleteAlertRuleRow,
  findAlertRule,
  insertAlertRule,
  type NamedAlertRule,
  type NewAlertRule,
  replaceAlertRule,
} from "./alert-rule.repository.ts";

type CreateInput = z.output<typeof createAlertRuleInputSchema>;
type UpdateInput = z.output<NonNullable<(typeof updateAlertRule)["body"]>>;

/** Throws `alert-rules-full`, `not-allowed`, `receiver-not-found` and `alert-rule-without-email`. */
export async function createAlertRule(context: CallContext, input: CreateInput): Promise<AlertRule> {
  const actor = requireActor(context);
  return inTransaction(context.database, async (transaction) => {
    if ((await countAlertRulesOf(transaction, actor.id)) >= RULE_LIMITS.rules) throw rulesFull();
    const rule = ruleOf(actor, actor.id, input);
    await checkRule(transaction, actor, rule);
    const id = await insertAlertRule(transaction, rule, nowSeconds(context.clock));
    const detail = auditOf(rule);
    await recordAudit(transaction, context, { action: "alert-rule.create", object: `alert-rule:${id}`, detail });
    const answer = presentAlertRule(await findExisting(transaction, id), actor.id);
    await context.rememberAnswer?.(transaction, answer);
    return answer;
  });
}

/** A crossing is reported again. Throws as `createAlertRule`, and `alert-rule-not-found`. */
export async function changeAlertRule(context: CallContext, input: UpdateInput): Promise<AlertRule> {
  const actor = requireActor(context);
  return inTransaction(context.database, async (transaction) => {
    const before = await findSeen(transaction, actor, input.id);
    const rule = ruleOf(actor, before.userId, input);
    await checkRule(transaction, actor, rule);
    await replaceAlertRule(transaction, { id: before.id, ...rule });
    await clearAlertStates(transaction, ["alert-rule"], before.id);
    const detail = changesBetween(auditOf(before), auditOf(rule));
    const object = `alert-rule:${before.id}`;
    await recordAudit(transaction, context, { action: "alert-rule.update", object, detail });
    return presentAlertRule(await findExisting(transaction, before.id), actor.id);
  });
}

/** Throws `alert-rule-not-found`. */
export async function deleteAlertRule(context: CallContext, id: number): Promise<void> {
  const actor = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const rule = await findSeen(transaction, actor, id);
    await deleteAlertRuleRow(transaction, id);
    const detail = auditOf(rule);
    await recordAudit(transaction, context, { action: "alert-rule.delete", object: `alert-rule:${id}`, detail });
  });
}

async function findExisting(transaction: Queryable, id: number): Promise<NamedAlertRule> {
  const rule = await findAlertRule(transaction, id);
  if (rule === undefined) throw alertRuleNotFound();
  return rule;
}

async function findSeen(transaction: Queryable, actor: Actor, id: number): Promise<NamedAlertRule> {
  const rule = await findExisting(transaction, id);
  if (!maySee(actor, rule)) throw alertRuleNotFound();
  return rule;
}

/** Users watch their own usage, whatever the input says. */
function ruleOf(actor: Actor, userId: number, input: CreateInput): NewAlertRule {
  const { metric, direction, threshold, window_minutes: windowMinutes, receiver: receiverId } = input;
  const { user, channel: channelId, model_name: modelName, token_name: tokenName, alias } = input;
  const watched = actorIsAdmin(actor) ? user : actor.id;
  const filter = { userId: watched, channelId, modelName, tokenName, alias };
  return { userId, metric, direction, threshold, windowMinutes, receiverId, filter };
}

async function checkRule(transaction: Queryable, actor: Actor, rule: NewAlertRule): Promise<void> {
  if (!mayWatch(rule, actor.role))
    throw new AppError("not-allowed", "Margins, channels and receivers are for administrators.");
  if (rule.receiverId !== 0) {
    if ((await findReceiverName(transaction, rule.receiverId)) === undefined)
      throw new AppError("receiver-not-found", "This receiver does not exist or was deleted.", { field: "receiver" });
    return;
  }
  const owner = await findUser(transaction, rule.userId);
  if ((owner?.email ?? "") !== "") return;
  const message = "The account has no email address. Add one in the settings, or choose a receiver.";
  throw new AppError("alert-rule-without-email", message, { field: "receiver" });
}

function rulesFull(): AppError {
  const { rules: limit } = RULE_LIMITS;
  return new AppError("alert-rules-full", `You have ${limit} alerts. Delete one first.`, { values: { limit } });
}

function auditOf({ metric, direction, threshold, windowMinutes, receiverId, filter }: NewAlertRule) {
  return {
    metric,
    direction,
    threshold,
    window_minutes: windowMinutes,
    receiver: receiverId,
    user: filter.userId,
    channel: filter.channelId,
    model_name: filter.modelName,
    token_name: filter.tokenName,
    alias: filter.alias,
  };
}
