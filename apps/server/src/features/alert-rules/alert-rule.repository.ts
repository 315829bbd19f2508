import {
  RULE_DIRECTIONS,
  RULE_METRICS,
  RULE_WINDOWS,
  type RuleDirection,
  type RuleMetric,
  type RuleWindow,
} from "@one-api/contract/notifications/alert-rule-constants";
import type { AlertRulesTable } from "@one-api/database/message-tables";
import type { UsageFilter } from "@one-api/log-store/questions";
import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import { countRows } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";

const COLUMNS = [
  "id",
  "user_id",
  "metric",
  "direction",
  "threshold",
  "window_minutes",
  "receiver_id",
  "of_user_id",
  "of_channel_id",
  "of_model",
  "of_token",
  "of_alias",
] as const;

export interface NewAlertRule {
  readonly userId: number;
  readonly metric: RuleMetric;
  readonly direction: RuleDirection;
  /** In the metric's own unit: quota, 0 to 1, ms, or a count. */
  readonly threshold: number;
  readonly windowMinutes: RuleWindow;
  /** 0 for a mail to the owner. */
  readonly receiverId: number;
  readonly filter: UsageFilter;
}

export interface StoredAlertRule extends NewAlertRule {
  readonly id: number;
}

/** A rule with the names that texts about it have. */
export interface NamedAlertRule extends StoredAlertRule {
  readonly owner: string;
  /** Empty for all, and for deleted ones. */
  readonly username: string;
  readonly channelName: string;
  /** Empty if the receiver is gone, and for a mail. */
  readonly receiverName: string;
  /** Unix seconds; 0 while the threshold is not crossed. */
  readonly crossedAt: number;
}

export async function insertAlertRule(queryable: Queryable, rule: NewAlertRule, at: number): Promise<number> {
  const row = { ...columnsOf(rule), checked_at: 0, created_at: at };
  return (await queryable.insertInto("alert_rules").values(row).returning("id").executeTakeFirstOrThrow()).id;
}

/** The rule is measured at the next check. */
export async function replaceAlertRule(queryable: Queryable, { id, ...rule }: StoredAlertRule): Promise<void> {
  const row = { ...columnsOf(rule), checked_at: 0 };
  await queryable.updateTable("alert_rules").set(row).where("id", "=", id).execute();
}

export async function deleteAlertRuleRow(queryable: Queryable, id: number): Promise<void> {
  await queryable.deleteFrom("alert_rules").where("id", "=", id).execute();
}

export function countAlertRulesOf(queryable: Queryable, userId: number): Promise<number> {
  return countRows(queryable.selectFrom("alert_rules").where("user_id", "=", userId));
}

/** Without rules of a later release, which its servers measure. */
function namedRules(queryable: Queryable) {
  return queryable
    .selectFrom("alert_rules as rule")
    .innerJoin("users as owner", "owner.id", "rule.user_id")
    .leftJoin("users as watched", "watched.id", "rule.of_user_id")
    .leftJoin("channels as channel", "channel.id", "rule.of_channel_id")
    .leftJoin("alert_receivers as receiver", "receiver.id", "rule.receiver_id")
    .leftJoin("alert_states as state", (join) =>
      join.onRef("state.id", "=", "rule.id").on("state.kind", "=", "alert-rule"),
    )
    .select(COLUMNS.map((column) => `rule.${column}` as const))
    .select(["owner.username as owner", "owner.role as owner_role", "owner.status as owner_status"])
    .select(["owner.email as owner_email", "owner.language as owner_language", "watched.username as watched_name"])
    .select(["channel.name as channel_name", "receiver.name as receiver_name", "state.at as crossed_at"])
    .where("rule.metric", "in", RULE_METRICS)
    .where("rule.direction", "in", RULE_DIRECTIONS)
    .where("rule.window_minutes", "in", RULE_WINDOWS);
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof namedRules>["execute"]>>[number];

/** Rules of the user, oldest first; with `andShared` also those of others that use a receiver. */
export async function listAlertRuleRows(
  queryable: Queryable,
  userId: number,
  andShared: boolean,
): Promise<NamedAlertRule[]> {
  const rows = await namedRules(queryable)
    .where((rule) =>
      rule.or([rule("rule.user_id", "=", userId), ...(andShared ? [rule("receiver.id", "is not", null)] : [])]),
    )
    .orderBy("rule.id")
    .execute();
  return rows.map(readNamedRule);
}

export async function findAlertRule(queryable: Queryable, id: number): Promise<NamedAlertRule | undefined> {
  const row = await namedRules(queryable).where("rule.id", "=", id).executeTakeFirst();
  return row && readNamedRule(row);
}

/** A rule with what decides about its alert. */
export interface DueAlertRule extends NamedAlertRule {
  readonly ownerRole: number;
  readonly ownerStatus: number;
  /** Empty for none. */
  readonly ownerEmail: string;
  readonly ownerLanguage: string;
}

/**
 * Returns rules that were last measured at `dueAt` or before, longest ago first, and marks them as measured `now`. Concurrent
 * callers never get the same one.
 */
export async function claimDueRules(
  queryable: Queryable,
  { now, dueAt, limit }: { readonly now: number; readonly dueAt: number; readonly limit: number },
): Promise<DueAlertRule[]> {
  const due = queryable
    .selectFrom("alert_rules")
    .select("id")
    .where("checked_at", "<=", dueAt)
    .where("metric", "in", RULE_METRICS)
    .where("direction", "in", RULE_DIRECTIONS)
    .where("window_minutes", "in", RULE_WINDOWS)
    .orderBy("checked_at")
    .orderBy("id")
    .limit(limit);
  const claimed = await queryable
    .updateTable("alert_rules")
    .set({ checked_at: now })
    .where("id", "in", due)
    .where("checked_at", "<=", dueAt)
    .returning("id")
    .execute();
  if (claimed.length === 0) return [];
  const ids = claimed.map(({ id }) => id);
  const rows = await namedRules(queryable).where("rule.id", "in", ids).orderBy("rule.id").execute();
  return rows.map((row) => ({
    ...readNamedRule(row),
    ownerRole: row.owner_role,
    ownerStatus: row.owner_status,
    ownerEmail: row.owner_email,
    ownerLanguage: row.owner_language,
  }));
}

function columnsOf(rule: NewAlertRule): Omit<Insertable<AlertRulesTable>, "checked_at" | "created_at"> {
  const { userId, metric, direction, threshold, windowMinutes, receiverId, filter } = rule;
  return {
    user_id: userId,
    metric,
    direction,
    threshold,
    window_minutes: windowMinutes,
    receiver_id: receiverId,
    of_user_id: filter.userId,
    of_channel_id: filter.channelId,
    of_model: filter.modelName,
    of_token: filter.tokenName,
    of_alias: filter.alias,
  };
}

const storedSchema = z.object({
  metric: z.enum(RULE_METRICS),
  direction: z.enum(RULE_DIRECTIONS),
  window_minutes: z.literal(RULE_WINDOWS),
});

function readRule(row: Pick<Selectable<AlertRulesTable>, (typeof COLUMNS)[number]>): StoredAlertRule {
  const { metric, direction, window_minutes: windowMinutes } = storedSchema.parse(row);
  const { id, user_id: userId, threshold, receiver_id: receiverId } = row;
  const { of_user_id, of_channel_id: channelId, of_model: modelName, of_token: tokenName, of_alias: alias } = row;
  const filter = { userId: of_user_id, channelId, modelName, tokenName, alias };
  return { id, userId, metric, direction, threshold, windowMinutes, receiverId, filter };
}

function readNamedRule(row: NamedRow): NamedAlertRule {
  const rule = readRule(row);
  return {
    ...rule,
    receiverId: row.receiver_name === null ? 0 : rule.receiverId,
    owner: row.owner,
    username: row.watched_name ?? "",
    channelName: row.channel_name ?? "",
    receiverName: row.receiver_name ?? "",
    crossedAt: row.crossed_at ?? 0,
  };
}
