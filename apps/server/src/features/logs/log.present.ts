import { LOG_RESULTS } from "@one-api/contract/constants";
import { type Log, type LogDetail, logDetailSchema, type LogResult } from "@one-api/contract/log";
import type { LogRow } from "./log.repository.ts";

/** The entry as the API answers it. Which channels serve is for administrators only; others get 0 in their place. */
export function presentLog(row: LogRow, forAdmin: boolean, channelNames: ReadonlyMap<number, string>): Log {
  const detail = readDetail(row.detail);
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: row.content,
    username: row.username,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: Math.max(0, row.quota),
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    channel: forAdmin ? row.channel_id : 0,
    request_id: row.request_id,
    elapsed_time: row.elapsed_time,
    is_stream: row.is_stream === 1,
    result: isResult(row.result) ? row.result : "",
    status_code: row.status_code,
    channel_name: forAdmin ? (channelNames.get(row.channel_id) ?? "") : "",
    ...(detail === undefined ? {} : { detail: forAdmin ? detail : withoutRouting(detail) }),
  };
}

function isResult(text: string): text is LogResult {
  return LOG_RESULTS.some((result) => result === text);
}

/** Undefined when there is none, or when another version wrote it in a shape that this one does not know. */
function readDetail(text: string): LogDetail | undefined {
  if (text === "") return undefined;
  try {
    return logDetailSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Neither channels nor what a channel maps a model to. */
function withoutRouting(detail: LogDetail): LogDetail {
  return { ...detail, upstream_model: "", attempts: detail.attempts.map((attempt) => ({ ...attempt, channel: 0 })) };
}
