import type { Log } from "@one-api/contract/logs/log";

export interface LogLines {
  readonly contentType: string;
  readonly head: string;
  line(log: Log): string;
}

type Column = readonly [name: string, value: (log: Log) => string | number | boolean];

const COLUMNS: readonly Column[] = [
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

const ADMIN_COLUMNS: readonly Column[] = [
  ["channel", (log) => log.channel],
  ["channel_name", (log) => log.channel_name],
  ["upstream_model", (log) => log.detail?.upstream_model ?? ""],
];

/** Marks the text as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = "\uFEFF";

/** CSV (RFC 4180), protected against formula injection. */
export function tableLines(forAdmin: boolean): LogLines {
  const columns = forAdmin ? [...COLUMNS, ...ADMIN_COLUMNS] : COLUMNS;
  return {
    contentType: "text/csv; charset=utf-8",
    head: `${BYTE_ORDER_MARK}${columns.map(([name]) => name).join(",")}\r\n`,
    line: (log) => `${columns.map(([, value]) => toCell(value(log))).join(",")}\r\n`,
  };
}

/** One JSON line for each entry, in the form of the API. */
export const jsonLines: LogLines = {
  contentType: "application/x-ndjson; charset=utf-8",
  head: "",
  line: (log) => `${JSON.stringify(log)}\n`,
};

/** First characters of formulas, also full-width, and ignored characters before them (OWASP, "CSV Injection"). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

function toCell(value: string | number | boolean): string {
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
