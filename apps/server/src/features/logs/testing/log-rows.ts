import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";
import type { TestLogin } from "../../../testing/create-test-app.ts";
import { writeDetail } from "../usage-detail.ts";

export type NewLog = Insertable<Tables["logs"]>;

export const DETAIL = {
  end: "complete",
  first_byte_ms: 12,
  upstream_model: "gpt-4o-2024",
  attempts: [
    { channel: 71, status: 500, failure: "overloaded", duration_ms: 5 },
    { channel: 72, status: 200, failure: "", duration_ms: 9 },
  ],
};

/** Stores every value, since no column equals it. */
export const storedDetail = ({ first_byte_ms: _column, ...detail }: typeof DETAIL & { refusal?: string }) =>
  writeDetail(detail, {
    model_name: "",
    channel_id: -1,
    status_code: -1,
    first_byte_ms: -1,
    prompt_tokens: 0,
    completion_tokens: 0,
  });

/** A row of a charged request of the user. */
export function logOf(login: TestLogin, changes: Partial<NewLog>): NewLog {
  return {
    user_id: login.user.id,
    created_at: 0,
    type: LOG_TYPE.consumption,
    content: "",
    username: login.user.username,
    token_name: "main",
    model_name: "o3",
    quota: 0,
    prompt_tokens: 10,
    completion_tokens: 1,
    channel_id: 0,
    request_id: "",
    elapsed_time: 1_500,
    is_stream: 1,
    first_byte_ms: 0,
    detail: "",
    ...changes,
  };
}
