import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { OpenDatabase, StatementParameter } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { type Kysely, sql } from "kysely";
import { prepareBudgetStatements } from "./budget-statements.ts";
import type { CheckpointColumns, LogRow } from "../ledger.ts";
import { type Placeholders, prepareForMany, prepareInsert, prepareStatement } from "./prepared-statement.ts";
import { prepareForList, prepareListInsert, type StatementsForMany, statementsForMany } from "./statements-for-many.ts";

/** A row of `relay_holds` as the ledger inserts it. */
export interface HoldRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
  readonly token_unlimited: 0 | 1;
  readonly user_amount: number;
  readonly token_amount: number;
  readonly delivered_quota: number;
  readonly channel_id: number;
  readonly instance_id: string;
  readonly created_at: number;
}

/** The columns of `logs` that say what was charged. */
export interface ChargeColumns {
  readonly quota: number;
  readonly token_id: number;
  /** What of the charge was taken from a limited token. */
  readonly token_amount: number;
  readonly shortfall: number;
  /** 1 when the log is switched off: only the columns of the charge count. */
  readonly hidden: 0 | 1;
}

/** A row of `logs` as the ledger inserts it: the log entry of a request, and its charge. */
export type UsageRow = LogRow & ChargeColumns;

/** The charge of a row that moves no money. */
export const NO_CHARGE: ChargeColumns = { quota: 0, token_id: 0, token_amount: 0, shortfall: 0, hidden: 0 };

/** A row whose values only show the types; its keys give the order of the columns. */
export function columnsOf<Row extends Readonly<Record<keyof Row, StatementParameter>>>(
  row: Row,
): (keyof Row & string)[] {
  const columns: (keyof Row & string)[] = [];
  for (const column in row) columns.push(column);
  return columns;
}

/** A row of `relay_holds` as a checkpoint writes it. */
export type CheckpointRow = HoldRow & CheckpointColumns;

export const NO_TOKENS: CheckpointColumns = { model_name: "", prompt_tokens: 0, completion_tokens: 0 };

export const holdTemplate: HoldRow = {
  request_id: "",
  user_id: 0,
  token_id: 0,
  token_unlimited: 0,
  user_amount: 0,
  token_amount: 0,
  delivered_quota: 0,
  channel_id: 0,
  instance_id: "",
  created_at: 0,
};

const checkpointTemplate: CheckpointRow = { ...holdTemplate, ...NO_TOKENS };

export const usageTemplate: UsageRow = {
  user_id: 0,
  created_at: 0,
  type: 0,
  content: "",
  username: "",
  token_name: "",
  model_name: "",
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: "",
  elapsed_time: 0,
  is_stream: 0,
  detail: "",
  result: "",
  status_code: 0,
  cost: 0,
  first_byte_ms: 0,
  ...NO_CHARGE,
};

/** Every statement that a relayed request runs, compiled once per database. */
export function prepareLedgerStatements({ db, kind }: Pick<OpenDatabase, "db" | "kind">): LedgerStatements {
  const all = {
    ...prepareUsageStatements({ db, kind }),
    ...prepareHoldStatements(db),
    ...prepareBalanceStatements(db),
    ...prepareChangeStatements(db),
    ...prepareBudgetStatements(db),
  };
  return kind === "sqlite"
    ? { ...all, many: undefined }
    : { ...all, ...prepareListStatements(), many: statementsForMany };
}

/** The same statements for PostgreSQL, which prepares a text once for all lengths of a list. */
function prepareListStatements() {
  return {
    insertUsage: prepareListInsert("logs", columnsOf(usageTemplate), usageTemplate),
    insertHolds: prepareListInsert("relay_holds", columnsOf(holdTemplate), holdTemplate),
    deleteHolds: prepareForList(
      "delete from relay_holds where request_id = any($1::text[]) returning request_id, user_amount, token_amount, created_at",
    ),
  };
}

/** What of a charge is added up. */
const ADDED_UP = [
  "user_id",
  "created_at",
  "token_name",
  "model_name",
  "channel_id",
  "quota",
  "cost",
  "prompt_tokens",
  "completion_tokens",
  "is_stream",
  "result",
  "status_code",
  "first_byte_ms",
] as const;

function prepareUsageStatements({ db, kind }: Pick<OpenDatabase, "db" | "kind">) {
  const addedUpTo = db.selectFrom("usage_progress").select("last_id");
  const columns = columnsOf(usageTemplate);
  const insert = db.insertInto("logs");
  // These two conditions are those of the unique index, which is used where a statement names them.
  const isCharge = sql<boolean>`type = ${sql.lit(LOG_TYPE.consumption)} and request_id <> ''`;
  return {
    insertUsage: prepareInsert(columns, usageTemplate, (rows) => insert.values(rows)),
    /** Leaves rows of requests out that have one. */
    insertLogs: prepareInsert(columns, usageTemplate, (rows) =>
      insert.values(rows).onConflict((conflict) => conflict.doNothing()),
    ),
    findCharges: prepareForMany((requestIds) =>
      db
        .selectFrom("logs")
        .select(["request_id", "quota", "token_amount", "shortfall", "channel_id"])
        .where("request_id", "in", requestIds)
        .where(isCharge),
    ),
    /** Lets the dashboard's sums lose a charge that is in them. Where they are just being made, it waits until they are. */
    correctSums: prepareStatement<"requestId">((p) =>
      db
        .insertInto("usage_corrections")
        .columns(ADDED_UP)
        .expression(
          db
            .selectFrom("logs")
            .select(ADDED_UP)
            .where("request_id", "=", p.text("requestId"))
            .where(isCharge)
            .where("hidden", "=", 0)
            .where("id", "<=", kind === "sqlite" ? addedUpTo : addedUpTo.forShare()),
        ),
    ),
    deleteCharge: prepareStatement<"requestId">((p) =>
      db.deleteFrom("logs").where("request_id", "=", p.text("requestId")).where(isCharge),
    ),
    settleChannel: prepareStatement<"channelId" | "charged">((p) =>
      db
        .updateTable("channels")
        .set((row) => ({ used_quota: row("used_quota", "+", p.number("charged")) }))
        .where("id", "=", p.number("channelId")),
    ),
  };
}

function prepareHoldStatements(db: Kysely<Tables>) {
  const columns = columnsOf(holdTemplate);
  const insert = db.insertInto("relay_holds");
  return {
    insertHolds: prepareInsert(columns, holdTemplate, (rows) => insert.values(rows)),
    insertCheckpoints: prepareInsert(columnsOf(checkpointTemplate), checkpointTemplate, (rows) =>
      insert.values(rows).onConflict((conflict) =>
        conflict.column("request_id").doUpdateSet((row) => ({
          delivered_quota: row.ref("excluded.delivered_quota"),
          channel_id: row.ref("excluded.channel_id"),
          model_name: row.ref("excluded.model_name"),
          prompt_tokens: row.ref("excluded.prompt_tokens"),
          completion_tokens: row.ref("excluded.completion_tokens"),
        })),
      ),
    ),
    updateCheckpoint: prepareStatement<"requestId" | "delivered" | "channelId" | keyof CheckpointColumns>((p) =>
      db
        .updateTable("relay_holds")
        .set({
          delivered_quota: p.number("delivered"),
          channel_id: p.number("channelId"),
          model_name: p.text("model_name"),
          prompt_tokens: p.number("prompt_tokens"),
          completion_tokens: p.number("completion_tokens"),
        })
        .where("request_id", "=", p.text("requestId")),
    ),
    findHolds: prepareForMany((requestIds) =>
      db.selectFrom("relay_holds").select("request_id").where("request_id", "in", requestIds),
    ),
    deleteHolds: prepareForMany((requestIds) =>
      db
        .deleteFrom("relay_holds")
        .where("request_id", "in", requestIds)
        .returning(["request_id", "user_amount", "token_amount", "created_at"]),
    ),
  };
}

/** What nobody has set aside; of a token that its owner left less than that it is below zero. */
const free = sql<number>`remaining - leased`.as("remaining");
/** Whether so much can be taken; nothing always can. */
const leaves = (p: Placeholders<"atLeast">) =>
  sql<boolean>`(cast(${p.number("atLeast")} as bigint) = 0 or remaining - leased >= ${p.number("atLeast")})`;

function prepareBalanceStatements(db: Kysely<Tables>) {
  return {
    /** Changes what remains by `net`, unless less than nothing would remain. */
    bookUser: prepareStatement<"userId" | "net" | "atLeast" | "charged" | "requests">((p) =>
      db
        .updateTable("user_balances")
        .set((row) => ({
          remaining: row("remaining", "+", p.number("net")),
          used: row("used", "+", p.number("charged")),
          requests: row("requests", "+", p.number("requests")),
        }))
        .where("user_id", "=", p.number("userId"))
        .where(leaves(p)),
    ),
    bookToken: prepareStatement<"tokenId" | "net" | "atLeast" | "charged" | "at">((p) =>
      db
        .updateTable("token_balances")
        .set((row) => ({
          remaining: row("remaining", "+", p.number("net")),
          used: row("used", "+", p.number("charged")),
          last_used_at: p.number("at"),
        }))
        .where("token_id", "=", p.number("tokenId"))
        .where(leaves(p)),
    ),
    takeFromUser: prepareStatement<"userId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("user_balances")
        .set((row) => ({ remaining: row("remaining", "-", p.number("amount")) }))
        .where("user_id", "=", p.number("userId"))
        .where(leaves(p)),
    ),
    takeFromToken: prepareStatement<"tokenId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("token_balances")
        .set((row) => ({ remaining: row("remaining", "-", p.number("amount")) }))
        .where("token_id", "=", p.number("tokenId"))
        .where(leaves(p)),
    ),
    /** Locks the row where the database locks rows. */
    readUser: prepareStatement<"userId">((p) =>
      db
        .updateTable("user_balances")
        .set((row) => ({ remaining: row.ref("remaining") }))
        .where("user_id", "=", p.number("userId"))
        .returning(free),
    ),
    readToken: prepareStatement<"tokenId">((p) =>
      db
        .updateTable("token_balances")
        .set((row) => ({ remaining: row.ref("remaining") }))
        .where("token_id", "=", p.number("tokenId"))
        .returning([free, sql<number>`remaining`.as("stored")]),
    ),
    peekUser: prepareStatement<"userId">((p) =>
      db.selectFrom("user_balances").select(free).where("user_id", "=", p.number("userId")),
    ),
    peekToken: prepareStatement<"tokenId">((p) =>
      db.selectFrom("token_balances").select(free).where("token_id", "=", p.number("tokenId")),
    ),
  };
}

/** What was changed of balances and is not added to them yet. */
function prepareChangeStatements(db: Kysely<Tables>) {
  return {
    insertBalanceChanges: prepareStatement<"changes">((p) =>
      // SQLite gives the row the next id.
      db.insertInto("balance_changes").values({ id: sql<number>`null`, changes: p.text("changes") }),
    ),
    readBalanceChanges: prepareStatement<"most">((p) =>
      db.selectFrom("balance_changes").select(["id", "changes"]).orderBy("id").limit(p.number("most")),
    ),
    deleteBalanceChanges: prepareStatement<"last">((p) =>
      db.deleteFrom("balance_changes").where("id", "<=", p.number("last")),
    ),
  };
}

/** The statements of one database. */
export type LedgerStatements = ReturnType<typeof prepareUsageStatements> &
  ReturnType<typeof prepareHoldStatements> &
  ReturnType<typeof prepareBalanceStatements> &
  ReturnType<typeof prepareChangeStatements> &
  ReturnType<typeof prepareBudgetStatements> & {
    /** Undefined where a statement for each account costs less. */
    readonly many: StatementsForMany | undefined;
  };
