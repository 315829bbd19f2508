import type { Log } from "@one-api/contract/logs/log";
import { type FileColumn, type FileLines, tableLines } from "../../../core/exports/file-lines.ts";

const COLUMNS: readonly FileColumn<Log>[] = [
  ["id", (log) => log.id],
  ["time", (log) => new Date(log.created_at * 1_000).toISOString()],
  ["type", (log) => log.type],
  ["result", (log) => log.result],
  ["status_code", (log) => log.status_code],
  ["username", (log) => log.username],
  ["user_id", (log) => log.user_id],
  ["token_name", (log) => log.token_name],
  ["token_id", (log) => log.token_id],
  ["model_name", (log) => log.model_name],
  ["prompt_tokens", (log) => log.prompt_tokens],
  ["completion_tokens", (log) => log.completion_tokens],
  ["quota", (log) => log.quota],
  ["elapsed_time", (log) => log.elapsed_time],
  ["first_byte_ms", (log) => log.detail?.first_byte_ms ?? 0],
  ["is_stream", (log) => log.is_stream],
  ["attempts", (log) => log.detail?.attempts.length ?? 0],
  ["end", (log) => log.detail?.end ?? ""],
  ["group", (log) => log.detail?.group ?? ""],
  ["formula", (log) => log.detail?.charge?.formula ?? ""],
  ["content", (log) => log.content],
  ["request_id", (log) => log.request_id],
];

const ADMIN_COLUMNS: readonly FileColumn<Log>[] = [
  ["channel", (log) => log.channel],
  ["channel_name", (log) => log.channel_name],
  ["upstream_model", (log) => log.detail?.upstream_model ?? ""],
];

export function logTable(forAdmin: boolean): FileLines<Log> {
  return tableLines(forAdmin ? [...COLUMNS, ...ADMIN_COLUMNS] : COLUMNS);
}
