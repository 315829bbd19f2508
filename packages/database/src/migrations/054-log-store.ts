import { type RawBuilder, sql } from "kysely";
import { amount, autoId, integer, signedAmount, text, withDefault } from "./column.ts";
import { addColumn, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const SUMS = [
  "requests",
  "refused",
  "errors",
  "quota",
  "cost",
  "unknown_requests",
  "unknown_quota",
  "prompt_tokens",
  "completion_tokens",
] as const;

/** What the log store needs beside the log: which entries were removed, and the usage that they stood for. */
export const logStore: Migration = {
  number: 54,
  name: "log-store",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "logs", "cached_tokens", withDefault(amount, 0)),
    createTable(builder, "log_changes", {
      id: autoId,
      first_id: integer,
      last_id: integer,
      first_day: integer,
      last_day: integer,
      created_at: integer,
    }),
    // Never empty, so that a replica can tell whether it lacks changes.
    sql.raw("insert into log_changes (first_id, last_id, first_day, last_day, created_at) values (0, 0, 0, 0, 0)"),
    createTable(builder, "cleared_usage", {
      kind: integer,
      day: integer,
      user_id: integer,
      token_name: text,
      model_name: text,
      channel_id: integer,
      ...Object.fromEntries([...SUMS, "cached_tokens"].map((name) => [name, withDefault(signedAmount, 0)])),
    }).addPrimaryKeyConstraint("cleared_usage_primary_key", [
      "kind",
      "day",
      "user_id",
      "token_name",
      "model_name",
      "channel_id",
    ]),
    keepClearedUsage(builder.kind),
  ],
};

const REQUEST = "type = 2";
const REFUSED = "result in ('refused', 'over-budget')";
const FAILED = `(result in ('cut', 'provider-limited', 'provider-failed', 'connection', 'timeout', 'gateway-failed')
  or (result = 'provider-refused' and status_code in (401, 402, 403)))`;
const count = (condition: string) => `case when ${condition} then 1 else 0 end`;

/** The sums of an entry that is still in the log, as the sums of usage counted it. */
const OF_ENTRY: Readonly<Record<(typeof SUMS)[number], string>> = {
  requests: count(`${REQUEST} and not ${REFUSED}`),
  refused: count(`${REQUEST} and ${REFUSED}`),
  errors: count(`${REQUEST} and ${FAILED}`),
  quota: "case when type = 6 then -quota else quota end",
  cost: "case when cost > 0 then cost else 0 end",
  unknown_requests: count("cost < 0"),
  unknown_quota: "case when cost < 0 then quota else 0 end",
  prompt_tokens: "prompt_tokens",
  completion_tokens: "completion_tokens",
};

/**
 * Usage of entries that were cleared: what the sums of users have, less the entries that are left. Nothing is read where
 * nothing was ever cleared. Which channels served cleared entries was told in a form that SQL cannot read.
 */
function keepClearedUsage(kind: MigrationBuilder["kind"]): RawBuilder<unknown> {
  const pending =
    kind === "sqlite"
      ? {
          from: "usage_pending, json_each(usage_pending.sums) as line",
          item: (index: number) => `json_extract(line.value, '$[${index}]')`,
        }
      : {
          from: "usage_pending, json_array_elements(usage_pending.sums::json) as line",
          item: (index: number) => `line ->> ${index}`,
        };
  const number = (expression: string) => `cast(${expression} as bigint)`;
  return sql.raw(`insert into cleared_usage (kind, day, user_id, token_name, model_name, channel_id, ${SUMS.join(", ")})
    select 0, day, user_id, token_name, model_name, 0, ${SUMS.map((name) => number(`sum(${name})`)).join(", ")} from (
      select slot / 48 as day, user_id, token_name, model_name, ${SUMS.join(", ")} from usage_of_users
      union all
      select ${number(pending.item(1))} / 48, ${number(pending.item(0))}, ${pending.item(2)}, ${pending.item(3)},
        ${SUMS.map((_, index) => number(pending.item(4 + index))).join(", ")} from ${pending.from}
      union all
      select created_at / 86400, user_id, token_name, model_name, ${SUMS.map((name) => `-(${OF_ENTRY[name]})`).join(", ")}
      from logs where hidden = 0 and type in (2, 6) and id <= (select max(last_id) from usage_progress)) as counted
    where exists (select 1 from ledger_entries where kind = 'cleared')
    group by day, user_id, token_name, model_name
    having ${SUMS.map((name) => `sum(${name}) <> 0`).join(" or ")}`);
}
