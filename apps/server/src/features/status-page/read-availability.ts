import type { getAvailability, ModelAvailability } from "@one-api/contract/usage/availability";
import { keyText } from "@one-api/log-store/usage-key";
import { splitList } from "@one-api/contract/texts";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { rememberAnswer } from "../../core/remember-answer.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { Queryable } from "../../core/transaction.ts";
import { listServedModels } from "../channels/index.ts";
import { NO_USAGE_FILTER, SLOT_SECONDS, type Usage, type UsageRow } from "@one-api/log-store/questions";
import { NO_SUMS } from "@one-api/log-store/usage-sums";
import { askLog, presentFirstByte } from "../logs/index.ts";
import { availabilityState } from "./availability-state.ts";

type Availability = z.output<(typeof getAvailability)["data"]>;

const DAY_SECONDS = 24 * 60 * 60;
const DAYS = 30;
const MOST_MODELS = 2_000;
const CACHED_MS = 60_000;
/** The page shows the models of this group, like the price page. */
const PUBLIC_GROUP = "default";

type Context = Pick<CallContext, "database" | "clock" | "logStore">;

/** Returns a reader of the public models' availability, which queries the log at most once a minute. */
export function createAvailability(): (context: Context) => Promise<Availability> {
  return rememberAnswer(CACHED_MS, readAvailability);
}

async function readAvailability(context: Context): Promise<Availability> {
  const now = nowSeconds(context.clock);
  const startOf = (days: number) => Math.floor((now - days * DAY_SECONDS) / SLOT_SECONDS) * SLOT_SECONDS;
  const end = startOf(0) + SLOT_SECONDS;
  const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS;
  const midnights = Array.from({ length: DAYS + 1 }, (_, index) => today - (DAYS - 1 - index) * DAY_SECONDS);
  const since = (days: number) => listUsage(context, [startOf(days), end], "rows");
  const [day, week, month, days] = [
    await since(1),
    await since(7),
    await since(DAYS),
    await listUsage(context, midnights, "none"),
  ];
  const models = await listShownModels(context.database.db, month);
  const spanOf = (rows: ReadonlyMap<string, UsageRow>, model: string) => {
    const usage: Usage = rows.get(model)?.usage ?? NO_SUMS;
    return { availability: partAnswered(usage), state: availabilityState(usage), ...presentFirstByte(usage.times) };
  };
  return {
    at: now,
    models: models.map((model): ModelAvailability => {
      const ofDays = days.get(model)?.intervals ?? Array.from({ length: DAYS }, () => NO_SUMS);
      return {
        model,
        day: spanOf(day, model),
        week: spanOf(week, model),
        month: spanOf(month, model),
        days: ofDays.map(partAnswered),
        day_states: ofDays.map(availabilityState),
      };
    }),
  };
}

async function listUsage(
  context: Context,
  edges: readonly number[],
  times: "rows" | "none",
): Promise<ReadonlyMap<string, UsageRow>> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: NO_USAGE_FILTER,
    edges,
    by: "model",
    order: "requests",
    rows: MOST_MODELS,
    split: times === "none" ? MOST_MODELS : 0,
    times,
  });
  return new Map(answer.rows.map((row) => [keyText(row.key), row]));
}

/**
 * Requested models of the public group, whether or not their channels work: their names were chosen by
 * administrators.
 */
async function listShownModels(queryable: Queryable, requested: ReadonlyMap<string, UsageRow>): Promise<string[]> {
  const channels = await listServedModels(queryable);
  const names = channels
    .filter(({ group }) => splitList(group).includes(PUBLIC_GROUP))
    .flatMap(({ models }) => splitList(models));
  return [...new Set(names)].filter((model) => (requested.get(model)?.usage.requests ?? 0) > 0).sort();
}

function partAnswered({ requests, errors }: Pick<Usage, "requests" | "errors">): number | null {
  return requests === 0 ? null : (requests - errors) / requests;
}
