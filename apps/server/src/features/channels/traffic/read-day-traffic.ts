import type { ChannelDay } from "@one-api/contract/usage/channel-traffic";
import { NO_USAGE_FILTER, SLOT_SECONDS, type UsageRow } from "@one-api/log-store/questions";
import { keyText } from "@one-api/log-store/usage-key";
import type { CallContext } from "../../../core/call-context.ts";
import { AppError } from "../../../core/app-error.ts";
import { rememberAnswer } from "../../../core/remember-answer.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { askLog, presentFirstByte } from "../../logs/index.ts";

const HOURS = 24;
const HOUR_SECONDS = 3_600;
const CACHED_MS = 30_000;

/** More than channels with requests. */
const MOST_CHANNELS = 10_000;
const MOST_MODELS = 5_000;

interface DayTraffic {
  readonly to: number;
  readonly channels: readonly ChannelDay[];
}

type Context = Pick<CallContext, "database" | "clock" | "logStore">;

export type ReadDayTraffic = (context: Context) => Promise<DayTraffic>;

/** Returns a reader of all channels' last 24 hours, which queries the log at most every 30 s. It throws like `askLog`. */
export function createDayTraffic(): ReadDayTraffic {
  return rememberAnswer(CACHED_MS, readDayTraffic);
}

/** Traffic by channel. Empty if the log cannot be asked. */
export async function findDays(context: Context, readDay: ReadDayTraffic): Promise<ReadonlyMap<number, ChannelDay>> {
  const { channels } = await unlessRefused(readDay(context), { to: 0, channels: [] });
  return new Map(channels.map((day) => [day.id, day]));
}

/** The answer, or another one if the log cannot be asked. */
export async function unlessRefused<Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError) return otherwise;
    throw error;
  }
}

/** Returns a reader of the requests for each model in the last 24 hours, which queries the log at most every 30 s. */
export function createDayOfModels(): (context: Context) => Promise<ReadonlyMap<string, number>> {
  return rememberAnswer(CACHED_MS, readDayOfModels);
}

async function readDayOfModels(context: Context): Promise<ReadonlyMap<string, number>> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges: edgesOf(context).filter((_, hour) => hour === 0 || hour === HOURS),
    by: "model",
    order: "requests",
    rows: MOST_MODELS,
    split: 0,
    times: "none",
  });
  return new Map(answer.rows.map(({ key, usage }) => [keyText(key), usage.requests]));
}

/** Edges of the last 24 hours by the hour, rounded up to a half hour. */
function edgesOf({ clock }: Pick<Context, "clock">): number[] {
  const to = (Math.floor(nowSeconds(clock) / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  return Array.from({ length: HOURS + 1 }, (_, hour) => to - (HOURS - hour) * HOUR_SECONDS);
}

async function readDayTraffic(context: Context): Promise<DayTraffic> {
  const edges = edgesOf(context);
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges,
    by: "channel",
    order: "requests",
    rows: MOST_CHANNELS,
    split: MOST_CHANNELS,
    times: "rows",
  });
  // Requests without a channel have the id 0.
  return { to: edges[HOURS] ?? 0, channels: answer.rows.filter(({ key }) => key !== 0).map(presentDay) };
}

function presentDay({ key, usage, intervals = [] }: UsageRow): ChannelDay {
  return {
    id: Number(key),
    requests: usage.requests,
    errors: usage.errors,
    quota: usage.quota,
    cost: usage.cost + Math.max(0, usage.unknownQuota),
    first_byte_p50_ms: presentFirstByte(usage.times).first_byte_p50_ms,
    hours: intervals.map(({ requests }) => requests),
  };
}
