import { LOG_TYPE } from "@one-api/contract/logs/log";
import { outcomeOf } from "@one-api/contract/logs/log-outcome";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { LogFilter } from "../log-filter.ts";
import type {
  ResultTotals,
  Sums,
  TotalsAnswer,
  UsageFilter,
  UsageKey,
  UsageKeyKind,
  UsersQuestion,
} from "../questions.ts";
import { addSums, NO_SUMS } from "../usage-sums.ts";

// What the replica's answers are compared with: the same questions on rows, in the plainest way.

export type LogRow = Selectable<Tables["logs"]>;

export function matches(row: LogRow, filter: LogFilter): boolean {
  const { userId, startTimestamp, endTimestamp } = filter;
  const isAmong = <Value>(values: readonly Value[], value: NoInfer<Value>) =>
    values.length === 0 || values.includes(value);
  return (
    (userId === 0 || row.user_id === userId) &&
    isAmong(filter.types, row.type) &&
    isAmong(filter.tokenNames, row.token_name) &&
    isAmong(filter.modelNames, row.model_name) &&
    isAmong(filter.aliases, row.alias) &&
    isAmong(filter.usernames, row.username) &&
    isAmong(filter.channelIds, row.channel_id) &&
    (isAmong<string>(filter.results, row.result) ||
      (filter.results.includes("errors") && row.result !== "ok" && row.result !== "")) &&
    (startTimestamp === 0 || row.created_at >= startTimestamp) &&
    (endTimestamp === 0 || row.created_at <= endTimestamp)
  );
}

const isCounted = ({ type }: LogRow) => type === LOG_TYPE.consumption || type === LOG_TYPE.refund;

export function totalsOf(rows: readonly LogRow[]): TotalsAnswer {
  const counted = rows.filter(isCounted);
  return {
    quota: counted.reduce((sum, row) => sum + (row.type === LOG_TYPE.refund ? -row.quota : row.quota), 0),
    tokens: counted.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
  };
}

export function resultsOf(rows: readonly LogRow[]): ResultTotals[] {
  const groups = Map.groupBy(rows.filter(isCounted), (row) => JSON.stringify([row.model_name, row.result]));
  return [...groups.values()].map((of) => ({
    model: of[0]?.model_name ?? "",
    result: of[0]?.result ?? "",
    entries: of.filter(({ type }) => type === LOG_TYPE.consumption).length,
    ...totalsOf(of),
  }));
}

function sumsOf(row: LogRow): Sums {
  if (row.type === LOG_TYPE.refund) return { ...NO_SUMS, quota: -row.quota };
  const outcome = outcomeOf(row);
  const isRefused = outcome === 1 || outcome === 4;
  const isUnknown = row.cost < 0;
  return {
    requests: isRefused ? 0 : 1,
    refused: isRefused ? 1 : 0,
    errors: outcome === 2 || outcome === 5 ? 1 : 0,
    quota: row.quota,
    cost: Math.max(0, row.cost),
    unknownRequests: isUnknown ? 1 : 0,
    unknownQuota: isUnknown ? row.quota : 0,
    promptTokens: row.prompt_tokens,
    cachedTokens: row.cached_tokens,
    completionTokens: row.completion_tokens,
  };
}

export function keyOf(by: UsageKeyKind, row: LogRow): UsageKey {
  if (by === "model") return row.model_name;
  if (by === "channel") return row.channel_id;
  if (by === "alias") return row.alias;
  if (by === "first-model") return row.first_model;
  return by === "user" ? row.user_id : { userId: row.user_id, tokenName: row.token_name };
}

export function isUsed(row: LogRow, { userId, userIds, tokenName, modelName, channelId, alias }: UsageFilter): boolean {
  return (
    isCounted(row) &&
    (userId === 0 || row.user_id === userId) &&
    userIds?.includes(row.user_id) !== false &&
    (tokenName === "" || row.token_name === tokenName) &&
    (modelName === "" || row.model_name === modelName) &&
    (alias === "" || row.alias === alias) &&
    (channelId === 0 || row.channel_id === channelId)
  );
}

export function sumRows(rows: readonly LogRow[]): Sums {
  return rows.map(sumsOf).reduce(addSums, NO_SUMS);
}

export function countUsers(
  rows: readonly LogRow[],
  { channelIds, userIds, models, aliases = [], since }: Omit<UsersQuestion, "kind">,
): number {
  const used = rows.filter(
    (row) =>
      row.type === LOG_TYPE.consumption &&
      row.created_at >= since &&
      channelIds?.includes(row.channel_id) !== false &&
      userIds?.includes(row.user_id) !== false &&
      (models.includes(row.model_name) || aliases.includes(row.alias)),
  );
  return new Set(used.map((row) => row.user_id)).size;
}
