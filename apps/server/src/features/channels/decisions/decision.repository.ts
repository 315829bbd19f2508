import type { ReasonParts } from "@one-api/contract/channels/channel";
import { DECISION_KINDS, DECISION_REASONS } from "@one-api/contract/channels/channel-decision";
import type { Tables } from "@one-api/database/tables";
import { type Selectable, sql } from "kysely";
import { countRows, type ListPage } from "../../../core/lists/list-page.ts";
import type { Queryable } from "../../../core/transaction.ts";

const COLUMNS = [
  "id",
  "channel_id",
  "kind",
  "model",
  "code",
  "message",
  "parts",
  "first_at",
  "last_at",
  "until",
  "times",
  "undone_at",
] as const;

export type DecisionRow = Pick<Selectable<Tables["channel_decisions"]>, (typeof COLUMNS)[number]>;

export interface NewDecision {
  readonly channelId: number;
  readonly kind: (typeof DECISION_KINDS)[number];
  readonly model: string;
  readonly code: (typeof DECISION_REASONS)[number];
  readonly message: string;
  readonly parts?: ReasonParts | undefined;
  readonly until: number;
  readonly times: number;
}

/** A decision repeated within this time is counted, not listed. */
const SAME_WITHIN_SECONDS = 3_600;
const MAX_STORED = 200;
const LONGEST_MESSAGE = 500;

/**
 * Records a decision at `now` (Unix seconds). If it repeats the channel's last one of its kind and model
 * within an hour, that one is counted up.
 */
export async function recordDecision(queryable: Queryable, decision: NewDecision, now: number): Promise<void> {
  const { channelId, kind, model, code, until, times } = decision;
  const message = decision.message.slice(0, LONGEST_MESSAGE);
  const parts = decision.parts === undefined ? "" : JSON.stringify(decision.parts);
  if (until > 0) {
    const same = await findRepeated(queryable, decision, now);
    if (same !== undefined) {
      await queryable
        .updateTable("channel_decisions")
        .set({ message, parts, last_at: now, until, times: sql<number>`${sql.ref("times")} + ${times}` })
        .where("id", "=", same)
        .execute();
      return;
    }
  }
  const row = { channel_id: channelId, kind, model, code, message, parts, first_at: now, last_at: now, until, times };
  await queryable.insertInto("channel_decisions").values(row).execute();
  await queryable
    .deleteFrom("channel_decisions")
    .where("channel_id", "=", channelId)
    .where("id", "<=", (builder) =>
      builder
        .selectFrom("channel_decisions as stored")
        .select("stored.id")
        .where("stored.channel_id", "=", channelId)
        .orderBy("stored.id", "desc")
        .limit(1)
        .offset(MAX_STORED),
    )
    .execute();
}

async function findRepeated(
  queryable: Queryable,
  { channelId, kind, model, code }: NewDecision,
  now: number,
): Promise<number | undefined> {
  const last = await queryable
    .selectFrom("channel_decisions")
    .select(["id", "code", "first_at", "undone_at"])
    .where("channel_id", "=", channelId)
    .where("kind", "=", kind)
    .where("model", "=", model)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const isSame = last?.code === code && last.undone_at === 0 && last.first_at > now - SAME_WITHIN_SECONDS;
  return isSame ? last.id : undefined;
}

export function listDecisionRows(
  queryable: Queryable,
  channelId: number,
  { limit, offset }: ListPage,
): Promise<DecisionRow[]> {
  return knownDecisions(queryable)
    .select(COLUMNS)
    .where("channel_id", "=", channelId)
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The newest decisions that began in a period (Unix seconds, its end excluded), newest first. */
export function listNewestDecisions(
  queryable: Queryable,
  { start, end }: { readonly start: number; readonly end: number },
  limit: number,
): Promise<DecisionRow[]> {
  return knownDecisions(queryable)
    .select(COLUMNS)
    .where("first_at", ">=", start)
    .where("first_at", "<", end)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export function countDecisions(queryable: Queryable, channelId: number): Promise<number> {
  return countRows(knownDecisions(queryable).where("channel_id", "=", channelId));
}

export function findDecision(queryable: Queryable, channelId: number, id: number): Promise<DecisionRow | undefined> {
  return knownDecisions(queryable)
    .select(COLUMNS)
    .where("id", "=", id)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
}

/** Without those of a later release. */
function knownDecisions(queryable: Queryable) {
  const decisions = queryable.selectFrom("channel_decisions").where("kind", "in", DECISION_KINDS);
  return decisions.where("code", "in", DECISION_REASONS);
}

/** Id of the channel's last decision of one of the kinds; 0 without one. */
export async function lastDecisionOf(
  queryable: Queryable,
  channelId: number,
  kinds: readonly string[],
): Promise<number> {
  const row = await queryable
    .selectFrom("channel_decisions")
    .select("id")
    .where("channel_id", "=", channelId)
    .where("kind", "in", kinds)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

export async function markUndone(queryable: Queryable, id: number, now: number): Promise<void> {
  await queryable.updateTable("channel_decisions").set({ undone_at: now }).where("id", "=", id).execute();
}
