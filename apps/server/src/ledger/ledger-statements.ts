import type { LogResult } from "@one-api/contract/log";
import type { Kysely } from "kysely";
import type { StatementParameter } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { prepareForMany, prepareInsert, prepareStatement } from "./prepared-statement.ts";

/** One row of each table as the ledger inserts it. */
export interface EntryRow {
  readonly created_at: number;
  readonly kind: string;
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
  readonly channel_id: number;
  readonly user_amount: number;
  readonly token_amount: number;
  readonly shortfall: number;
  readonly note: string;
}

export interface ReservationRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number;
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
}

/** A row whose values only show the types; its keys give the order of the columns. */
function columnsOf<Row extends Readonly<Record<keyof Row, StatementParameter>>>(row: Row): (keyof Row & string)[] {
  const columns: (keyof Row & string)[] = [];
  for (const column in row) columns.push(column);
  return columns;
}

const entryTemplate: EntryRow = {
  created_at: 0,
  kind: "",
  request_id: "",
  user_id: 0,
  token_id: 0,
  channel_id: 0,
  user_amount: 0,
  token_amount: 0,
  shortfall: 0,
  note: "",
};

const reservationTemplate: ReservationRow = {
  request_id: "",
  user_id: 0,
  token_id: 0,
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
};

/** Every statement that a relayed request runs on balances, compiled once per database. */
export function prepareLedgerStatements(db: Kysely<Tables>) {
  return {
    insertEntries: prepareInsert(columnsOf(entryTemplate), entryTemplate, (rows) =>
      db.insertInto("ledger_entries").values(rows),
    ),
    insertReservations: prepareInsert(columnsOf(reservationTemplate), reservationTemplate, (rows) =>
      db.insertInto("reservations").values(rows),
    ),
    insertLogs: prepareInsert(columnsOf(logTemplate), logTemplate, (rows) => db.insertInto("logs").values(rows)),
    findReservations: prepareForMany((requestIds) =>
      db.selectFrom("reservations").select("request_id").where("request_id", "in", requestIds),
    ),
    deleteReservations: prepareForMany((requestIds) =>
      db
        .deleteFrom("reservations")
        .where("request_id", "in", requestIds)
        .returning(["request_id", "user_amount", "token_amount"]),
    ),
    takeFromUser: prepareStatement<"userId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("users")
        .set((row) => ({ quota: row("quota", "-", p.number("amount")) }))
        .where("id", "=", p.number("userId"))
        .where("quota", ">=", p.number("atLeast")),
    ),
    takeFromToken: prepareStatement<"tokenId" | "amount" | "atLeast">((p) =>
      db
        .updateTable("tokens")
        .set((row) => ({ remain_quota: row("remain_quota", "-", p.number("amount")) }))
        .where("id", "=", p.number("tokenId"))
        .where("remain_quota", ">=", p.number("atLeast")),
    ),
    settleUser: prepareStatement<"userId" | "refund" | "charged" | "requests">((p) =>
      db
        .updateTable("users")
        .set((row) => ({
          quota: row("quota", "+", p.number("refund")),
          used_quota: row("used_quota", "+", p.number("charged")),
          request_count: row("request_count", "+", p.number("requests")),
        }))
        .where("id", "=", p.number("userId")),
    ),
    settleToken: prepareStatement<"tokenId" | "refund" | "charged" | "at">((p) =>
      db
        .updateTable("tokens")
        .set((row) => ({
          remain_quota: row("remain_quota", "+", p.number("refund")),
          used_quota: row("used_quota", "+", p.number("charged")),
          accessed_time: p.number("at"),
        }))
        .where("id", "=", p.number("tokenId")),
    ),
    settleChannel: prepareStatement<"channelId" | "charged">((p) =>
      db
        .updateTable("channels")
        .set((row) => ({ used_quota: row("used_quota", "+", p.number("charged")) }))
        .where("id", "=", p.number("channelId")),
    ),
    readUserQuota: prepareStatement<"userId">((p) =>
      db.selectFrom("users").select("quota").where("id", "=", p.number("userId")),
    ),
    readTokenQuota: prepareStatement<"tokenId">((p) =>
      db.selectFrom("tokens").select("remain_quota as quota").where("id", "=", p.number("tokenId")),
    ),
    checkpoint: prepareStatement<"requestId" | "delivered" | "channelId">((p) =>
      db
        .updateTable("reservations")
        .set({ delivered_quota: p.number("delivered"), channel_id: p.number("channelId") })
        .where("request_id", "=", p.text("requestId")),
    ),
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;
