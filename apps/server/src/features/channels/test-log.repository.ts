import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

/** A log entry about a test: it belongs to no token and costs nothing. */
export type TestLog = Pick<
  Insertable<Tables["logs"]>,
  | "user_id"
  | "username"
  | "created_at"
  | "type"
  | "content"
  | "model_name"
  | "channel_id"
  | "elapsed_time"
  | "request_id"
>;

/** Adds the entry to the log. */
export async function insertTestLog(queryable: Queryable, log: TestLog): Promise<void> {
  await queryable
    .insertInto("logs")
    .values({ ...log, token_name: "", quota: 0, prompt_tokens: 0, completion_tokens: 0, is_stream: 0, detail: "" })
    .execute();
}
