import type { LogResult } from "@one-api/contract/log";
import type { Kysely } from "kysely";
import type { StatementParameter } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { prepareForMany, prepareInsert, prepareStatement } from "./prepared-statement.ts";

/** One row of each table as the ledger inserts it. */
export interface HoldRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
  readonly token_unlimited: 0 | 1;
  readonly user_amount: number;
  readonly token_amount: number;
  readonly instance_id: string;
  readonly created_at: number;
}

export interface UsageLogRow {
  readonly user_id: number;
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly channel_id: number;
  readonly request_id: string;
  readonly elapsed_time: number;
  readonly is_stream: 0 | 1;
  readonly detail: string;
  readonly result: LogResult;
  /** HTTP status that the provider gave, or that the gateway refused with; 0 for none. */
  readonly status_code: number;
  readonly token_id: number;
  /** What of the charge was taken from a limited token. */
  readonly token_amount: number;
  readonly shortfall: number;
  /** 1 when the log is switched off: only the columns of the charge count. */
  readonly hidden: 0 | 1;
}

/** A row whose values only show the types; its keys give the order of the columns. */
function columnsOf<Row extends Readonly<Record<keyof Row, StatementParameter>>>(row: Row): (keyof Row & string)[] {
  const columns: (keyof Row & string)[] = [];
  for (const column in row) columns.push(column);
  return columns;
}

const holdTemplate: HoldRow = {
  request_id: "",
  user_id: 0,
  token_id: 0,
  token_unlimited: 0,
  user_amount: 0,
  token_amount: 0,
  instance_id: "",
  created_at: 0,
};

const logTemplate: UsageLogRow = {
  user_id: 0,
  created_at: 0,
  type: 0,
  content: "",
  username: "",
  token_name: "",
  model_name: "",
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  channel_id: 0,
  request_id: "",
  elapsed_time: 0,
  is_stream: 0,
  detail: "",
  result: "",
  status_code: 0,
  token_id: 0,
  token_amount: 0,
  shortfall: 0,
  hidden: 0,
};

/** Every statement that a relayed request runs on balances, compiled once per database. */
export function prepareLedgerStatements(db: Kysely<Tables>) {
  return {
    insertHolds: prepareInsert(columnsOf(holdTemplate), holdTemplate, (rows) =>
      db.insertInto("relay_holds").values(rows),
    ),
    insertLogs: prepareInsert(columnsOf(logTemplate), logTemplate, (rows) => db.insertInto("logs").values(rows)),
    findHolds: prepareForMany((requestIds) =>
      db.selectFrom("relay_holds").select("request_id").where("request_id", "in", requestIds),
    ),
    deleteHolds: prepareForMany((requestIds) =>
      db
        .deleteFrom("relay_holds")
        .where("request_id", "in", requestIds)
        .returning(["request_id", "user_amount", "token_amount"]),
    ),
    takeFromUser: prepareStatement<"userId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("user_balances")
        .set((row) => ({ remaining: row("remaining", "-", p.number("amount")) }))
        .where("user_id", "=", p.number("userId"))
        .where("remaining", ">=", p.number("atLeast")),
    ),
    takeFromToken: prepareStatement<"tokenId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("token_balances")
        .set((row) => ({ remaining: row("remaining", "-", p.number("amount")) }))
        .where("token_id", "=", p.number("tokenId"))
        .where("remaining", ">=", p.number("atLeast")),
    ),
    settleUser: prepareStatement<"userId" | "refund" | "charged" | "requests">((p) =>
      db
        .updateTable("user_balances")
        .set((row) => ({
          remaining: row("remaining", "+", p.number("refund")),
          used: row("used", "+", p.number("charged")),
          requests: row("requests", "+", p.number("requests")),
        }))
        .where("user_id", "=", p.number("userId")),
    ),
    settleToken: prepareStatement<"tokenId" | "refund" | "charged" | "at">((p) =>
      db
        .updateTable("token_balances")
        .set((row) => ({
          remaining: row("remaining", "+", p.number("refund")),
          used: row("used", "+", p.number("charged")),
          last_used_at: p.number("at"),
        }))
        .where("token_id", "=", p.number("tokenId")),
    ),
    settleChannel: prepareStatement<"channelId" | "charged">((p) =>
      db
        .updateTable("channels")
        .set((row) => ({ used_quota: row("used_quota", "+", p.number("charged")) }))
        .where("id", "=", p.number("channelId")),
    ),
    readUserQuota: prepareStatement<"userId">((p) =>
      db.selectFrom("user_balances").select("remaining as quota").where("user_id", "=", p.number("userId")),
    ),
    readTokenQuota: prepareStatement<"tokenId">((p) =>
      db.selectFrom("token_balances").select("remaining as quota").where("token_id", "=", p.number("tokenId")),
    ),
    checkpoint: prepareStatement<"requestId" | "delivered" | "channelId">((p) =>
      db
        .updateTable("relay_holds")
        .set({ delivered_quota: p.number("delivered"), channel_id: p.number("channelId") })
        .where("request_id", "=", p.text("requestId")),
    ),
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;
