import { LOG_OUTCOME, outcomeOf, UNKNOWN_COST } from "@one-api/contract/logs/log-outcome";
import type { Tables } from "@one-api/database/tables";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { SUM_COLUMNS } from "./usage-sums.ts";

type Queryable = Kysely<Tables> | Transaction<Tables>;

const COUNTED_COLUMNS = [
  "created_at",
  "type",
  "result",
  "status_code",
  "user_id",
  "token_name",
  "model_name",
  "channel_id",
  "quota",
  "cost",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
] as const;

export type RemovedEntry = Pick<Selectable<Tables["logs"]>, (typeof COUNTED_COLUMNS)[number]>;

/** Ids between which entries were removed or hidden, both inclusive, at a time in Unix seconds. */
export interface RemovalRange {
  readonly firstId: number;
  readonly lastId: number;
  readonly at: number;
}

const DAY_SECONDS = 86_400;
/** Rows of one insert: SQLite takes 32,766 parameters. */
const ROWS_PER_INSERT = 500;

type ClearedRow = Pick<Selectable<Tables["cleared_usage"]>, (typeof KEY_COLUMNS)[number]> &
  Record<(typeof SUM_COLUMNS)[number], number>;

const KEY_COLUMNS = ["kind", "day", "user_id", "token_name", "model_name", "channel_id"] as const;

/**
 * Records removed or hidden entries in the same transaction: replicas remove them, and dashboards retain their usage. `entries` are those that were
 * visible.
 */
export async function recordRemoval(
  transaction: Queryable,
  { firstId, lastId, at }: RemovalRange,
  entries: readonly RemovedEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const days = entries.map(({ created_at: time }) => Math.floor(time / DAY_SECONDS));
  await transaction
    .insertInto("log_changes")
    .values({
      first_id: firstId,
      last_id: lastId,
      first_day: Math.min(...days),
      last_day: Math.max(...days),
      created_at: at,
    })
    .execute();
  const rows = [...sumByKey(entries)];
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await transaction
      .insertInto("cleared_usage")
      .values(rows.slice(from, from + ROWS_PER_INSERT))
      .onConflict((conflict) =>
        conflict
          .columns([...KEY_COLUMNS])
          .doUpdateSet(
            Object.fromEntries(
              SUM_COLUMNS.map((name) => [
                name,
                sql`${sql.ref(`cleared_usage.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
              ]),
            ),
          ),
      )
      .execute();
}

/** Forgets changes from before a time (Unix seconds) but the newest, by which replicas know that they lack some. */
export async function forgetChanges(queryable: Queryable, before: number): Promise<void> {
  await queryable
    .deleteFrom("log_changes")
    .where("created_at", "<", before)
    .where("id", "<", (select) => select.selectFrom("log_changes").select((of) => of.fn.max("id").as("id")))
    .execute();
}

/**
 * Removes the oldest day of usage whose entries were cleared, if it is before `beforeDay` (days since 1970, UTC), and records the
 * change for replicas. Returns whether there was one.
 */
export async function forgetOldestUsage(transaction: Queryable, beforeDay: number, at: number): Promise<boolean> {
  const oldest = await transaction
    .selectFrom("cleared_usage")
    .select((usage) => usage.fn.min("day").as("day"))
    .where("day", "<", beforeDay)
    .executeTakeFirst();
  // `min` is null without a row.
  const day: number | null = oldest?.day ?? null;
  if (day === null) return false;
  await transaction.deleteFrom("cleared_usage").where("day", "=", day).execute();
  // A replica reads the usage of the days of a change anew, and the entries of its ids, which are the same.
  const change = { first_id: 1, last_id: 1, first_day: day, last_day: day, created_at: at };
  await transaction.insertInto("log_changes").values(change).execute();
  return true;
}

/** A fixed order, so that two clearings cannot deadlock. */
function sumByKey(entries: readonly RemovedEntry[]): Iterable<ClearedRow> {
  const rows = new Map<string, ClearedRow>();
  for (const entry of entries) {
    const outcome = outcomeOf(entry);
    if (outcome === LOG_OUTCOME.other) continue;
    const day = Math.floor(entry.created_at / DAY_SECONDS);
    const { user_id, token_name, model_name, channel_id } = entry;
    for (const key of [
      { kind: 0, day, user_id, token_name, model_name, channel_id: 0 },
      { kind: 1, day, user_id: 0, token_name: "", model_name, channel_id },
    ]) {
      const name = JSON.stringify(Object.values(key));
      const row = rows.get(name) ?? { ...key, ...NO_SUMS };
      rows.set(name, addEntry(row, entry, outcome));
    }
  }
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

const NO_SUMS: Record<(typeof SUM_COLUMNS)[number], number> = {
  requests: 0,
  refused: 0,
  errors: 0,
  quota: 0,
  cost: 0,
  unknown_requests: 0,
  unknown_quota: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
};

function addEntry(row: ClearedRow, entry: RemovedEntry, outcome: number): ClearedRow {
  if (outcome === LOG_OUTCOME.refund) return { ...row, quota: row.quota - entry.quota };
  const isUnknown = outcome >= UNKNOWN_COST;
  const known = isUnknown ? outcome - UNKNOWN_COST : outcome;
  const isRefused = known === LOG_OUTCOME.refused;
  return {
    ...row,
    requests: row.requests + (isRefused ? 0 : 1),
    refused: row.refused + (isRefused ? 1 : 0),
    errors: row.errors + (known === LOG_OUTCOME.failed ? 1 : 0),
    quota: row.quota + entry.quota,
    cost: row.cost + Math.max(0, entry.cost),
    unknown_requests: row.unknown_requests + (isUnknown ? 1 : 0),
    unknown_quota: row.unknown_quota + (isUnknown ? entry.quota : 0),
    prompt_tokens: row.prompt_tokens + entry.prompt_tokens,
    cached_tokens: row.cached_tokens + entry.cached_tokens,
    completion_tokens: row.completion_tokens + entry.completion_tokens,
  };
}
