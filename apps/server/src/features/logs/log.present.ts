import { LOG_RESULTS } from "@one-api/contract/constants";
import { type Log, type LogDetail, logDetailSchema, type LogResult } from "@one-api/contract/log";
import type { LogRow } from "./log.repository.ts";
import { type UsageCharge, usageDetailSchema } from "./usage-detail.ts";
import { describeCharge, describeUsage } from "./usage-texts.ts";

/** The entry as the API answers it. Which channels serve is for administrators only; others get 0 in their place. */
export function presentLog(row: LogRow, forAdmin: boolean, channelNames: ReadonlyMap<number, string>): Log {
  const { content, detail } = readTexts(row);
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content,
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

/** What the entry says and its detail, made of the numbers that the relay stores; entries of other kinds and old ones have their texts stored. */
function readTexts({ content, detail, quota, shortfall }: LogRow): { content: string; detail: LogDetail | undefined } {
  const json = parseJson(detail);
  const usage = usageDetailSchema.safeParse(json).data;
  // Neither is known when there is no detail, or when another version wrote it in a shape that this one does not know.
  if (usage === undefined) return { content, detail: logDetailSchema.safeParse(json).data };
  const { charge, dropped: _dropped, note: _note, ...rest } = usage;
  return {
    content: content === "" ? describeUsage(usage) : content,
    detail: charge === undefined ? rest : { ...rest, charge: presentCharge(charge, quota + shortfall) },
  };
}

function presentCharge(charge: UsageCharge, quota: number): LogDetail["charge"] {
  const { model_ratio, completion_ratio, group_ratio, rule, terms } = charge;
  const cached = terms.find(([kind]) => kind === "cached-input");
  return {
    model_ratio,
    completion_ratio,
    group_ratio,
    cached_tokens: cached?.[1] ?? 0,
    rule,
    formula: describeCharge(charge, quota),
  };
}

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Neither channels nor what a channel maps a model to. */
function withoutRouting(detail: LogDetail): LogDetail {
  return { ...detail, upstream_model: "", attempts: detail.attempts.map((attempt) => ({ ...attempt, channel: 0 })) };
}
