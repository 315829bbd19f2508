import { type HoldRow, columnsOf, holdTemplate, type UsageRow, usageTemplate } from "./ledger-statements.ts";
import type { Durability, StatementParameter } from "@one-api/database/open-database";
import { arrayOf, numberArray, textArray } from "@one-api/database/postgres-arrays";

/** What a group does to one account. */
interface AccountChange {
  readonly id: number;
  /** What remains changes by this much, and must cover it. */
  readonly net: number;
  readonly charged: number;
}

export interface UserChange extends AccountChange {
  readonly requests: number;
}

export interface TokenChange extends AccountChange {
  /** Unix seconds of its latest settlement; 0 without one. */
  readonly at: number;
}

/** As what a reservation knows its caller. */
export interface KnownCaller {
  readonly userId: number;
  readonly version: number;
}

/** Everything that a group does, added up. No id may come twice, but for callers'. */
export interface GroupChanges {
  readonly users: readonly UserChange[];
  readonly tokens: readonly TokenChange[];
  /** Requests whose holds end; each must have a row. */
  readonly ended: readonly string[];
  readonly holds: readonly HoldRow[];
  readonly usage: readonly UsageRow[];
  /** Channel id and the quota spent through it. */
  readonly spentByChannel: readonly (readonly [number, number])[];
  readonly callers: readonly KnownCaller[];
  readonly durability: Durability;
}

type Column = readonly StatementParameter[];

const holdColumns = columnsOf(holdTemplate);
const usageColumns = columnsOf(usageTemplate);

/** Each list is one parameter, so that the text is the same for any number of rows. */
const lists = (first: number, types: readonly string[]) =>
  `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(", ")})`;

const numbersFrom = (first: number, count: number) => lists(first, Array<string>(count).fill("bigint"));

function insertFrom<Row extends Readonly<Record<keyof Row, StatementParameter>>>(
  table: string,
  columns: readonly (keyof Row & string)[],
  template: Row,
  first: number,
): string {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const types = columns.map((column) => (typeof template[column] === "number" ? "bigint" : "text"));
  return `insert into ${table} (${names}) select ${names} from ${lists(first, types)} as row (${names})`;
}

/** Parameters before the columns of rows. */
const FIXED = 17;

/**
 * All of a group in one statement, which commits by itself. Where a balance does not cover what is asked of it, a hold is gone or a caller has changed,
 * it divides by zero and leaves nothing behind. Balances of users are locked first, in the order of the list, then their tokens', which nobody locks
 * without the user's; channels come last, as the statement's own answer needs them not: so processes cannot block each other for good. Balances and
 * callers are asked for by the list, too: a server that takes their table for small, as after an import during which it was cleaned up, would read
 * all of it to join it.
 */
export const GROUP_STATEMENT = `
with users as (
  update user_balances as balance
  set remaining = balance.remaining + change.net, used = balance.used + change.charged, requests = balance.requests + change.requests
  from ${numbersFrom(1, 4)} as change (id, net, charged, requests)
  where balance.user_id = change.id and balance.user_id = any($1::bigint[])
    and (change.net >= 0 or balance.remaining - balance.leased >= -change.net)
  returning 1
), tokens as (
  update token_balances as balance
  set remaining = balance.remaining + change.net, used = balance.used + change.charged,
    last_used_at = case when change.at = 0 then balance.last_used_at else change.at end
  from ${numbersFrom(5, 4)} as change (id, net, charged, at)
  where balance.token_id = change.id and balance.token_id = any($5::bigint[])
    and (change.net >= 0 or balance.remaining - balance.leased >= -change.net)
  returning 1
), ended as (
  delete from relay_holds where request_id = any($9::text[]) returning 1
), held as (
  ${insertFrom("relay_holds", holdColumns, holdTemplate, FIXED + 1)}
), booked as (
  ${insertFrom("logs", usageColumns, usageTemplate, FIXED + 1 + holdColumns.length)}
), spent as (
  update channels set used_quota = used_quota + change.charged
  from ${numbersFrom(10, 2)} as change (id, charged) where channels.id = change.id
)
select
  1 / (case when (select count(*) from users) = $12::bigint then 1 else 0 end) as users,
  1 / (case when (select count(*) from tokens) = $13::bigint then 1 else 0 end) as tokens,
  1 / (case when (select count(*) from ended) = $14::bigint then 1 else 0 end) as ended,
  1 / (case when exists (
    select 1 from ${numbersFrom(16, 2)} as known (user_id, version) left join (
      select user_id, version from caller_versions where user_id = any($16::bigint[])
    ) as present using (user_id)
    where known.version <> coalesce(present.version, 0)
  ) then 0 else 1 end) as callers,
  case when $15::text = 'in-order' then set_config('synchronous_commit', 'off', true) end as durability`;

/** The parameters of `GROUP_STATEMENT`. Throws RangeError for what is no exact integer. */
export function groupParameters(changes: GroupChanges): StatementParameter[] {
  const { users, tokens, ended, holds, usage, spentByChannel, callers, durability } = changes;
  return [
    numberArray(users.map(({ id }) => id)),
    numberArray(users.map(({ net }) => net)),
    numberArray(users.map(({ charged }) => charged)),
    numberArray(users.map(({ requests }) => requests)),
    numberArray(tokens.map(({ id }) => id)),
    numberArray(tokens.map(({ net }) => net)),
    numberArray(tokens.map(({ charged }) => charged)),
    numberArray(tokens.map(({ at }) => at)),
    textArray(ended),
    numberArray(spentByChannel.map(([id]) => id)),
    numberArray(spentByChannel.map(([, charged]) => charged)),
    users.length,
    tokens.length,
    ended.length,
    durability,
    numberArray(callers.map(({ userId }) => userId)),
    numberArray(callers.map(({ version }) => version)),
    ...holdColumns.map((column) =>
      columnOf(
        holds.map((row) => row[column]),
        holdTemplate[column],
      ),
    ),
    ...usageColumns.map((column) =>
      columnOf(
        usage.map((row) => row[column]),
        usageTemplate[column],
      ),
    ),
  ];
}

function columnOf(values: Column, template: StatementParameter): string {
  return arrayOf(values, typeof template === "number");
}
