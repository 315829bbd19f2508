import type { getAvailability, ModelAvailability } from "@one-api/contract/usage/availability";
import { splitList } from "@one-api/contract/fields";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { listServedModels } from "../channels/index.ts";
import { addTables, presentFirstByte, readUsage, SLOT_SECONDS, type Sums, type SumTable } from "../usage/index.ts";
import { availabilityState } from "./availability-state.ts";

type Availability = z.output<(typeof getAvailability)["data"]>;

const DAY_SECONDS = 24 * 60 * 60;
const DAYS = 30;
/** An answer is kept for so long: many visitors are one question to the database. */
const KEEP_MS = 60_000;
/** Visitors see what this group is served, as on the page of prices. */
const VISITORS_GROUP = "default";

/** Answers how the models that visitors may see have answered, at most once a minute from the database. */
export function createAvailability(): (context: Pick<CallContext, "database" | "clock">) => Promise<Availability> {
  let known: { readonly atMs: number; readonly answer: Promise<Availability> } | undefined;
  return ({ database, clock }) => {
    if (known !== undefined && clock.monotonicMs() - known.atMs < KEEP_MS) return known.answer;
    const before = known;
    // What cannot be read anew is told as it was, and nobody asks again before the minute is over.
    const answer = readAvailability(database, nowSeconds(clock)).catch((error: unknown) => {
      if (before === undefined) throw error;
      return before.answer;
    });
    const asked = { atMs: clock.monotonicMs(), answer };
    known = asked;
    answer.catch(() => {
      if (known === asked) known = undefined;
    });
    return answer;
  };
}

async function readAvailability(database: OpenDatabase, now: number): Promise<Availability> {
  const startOf = (days: number) => Math.floor((now - days * DAY_SECONDS) / SLOT_SECONDS) * SLOT_SECONDS;
  const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS;
  const midnights = Array.from({ length: DAYS }, (_, index) => today - (DAYS - 1 - index) * DAY_SECONDS);
  // One question for all: the times between any two edges are added up of its parts.
  const edges = [...new Set([...[1, 7, DAYS].map(startOf), ...midnights])].toSorted((left, right) => left - right);
  const { partTables } = await readUsage(database, {
    edges: [...edges, startOf(0) + SLOT_SECONDS],
    by: "model",
    userId: 0,
    isSplit: true,
  });
  const sumsFrom = (start: number, end = Number.POSITIVE_INFINITY) =>
    addTables(partTables.filter((_, index) => (edges[index] ?? 0) >= start && (edges[index] ?? 0) < end));
  const [day, week, month] = [sumsFrom(startOf(1)), sumsFrom(startOf(7)), sumsFrom(startOf(DAYS))];
  const days = midnights.map((midnight) => sumsFrom(midnight, midnight + DAY_SECONDS));
  const models = await listShownModels(database, month);
  const spanOf = (sums: Sums) => ({
    availability: partAnswered(sums),
    state: availabilityState(sums),
    ...presentFirstByte(sums),
  });
  return {
    at: now,
    models: models.map((model): ModelAvailability => ({
      model,
      day: spanOf(day.sumsOf(model)),
      week: spanOf(week.sumsOf(model)),
      month: spanOf(month.sumsOf(model)),
      days: days.map((sums) => partAnswered(sums.sumsOf(model))),
      day_states: days.map((sums) => availabilityState(sums.sumsOf(model))),
    })),
  };
}

/** What channels of the visitors' group have, working or not, and somebody asked for: nobody chose those names but administrators. */
async function listShownModels({ db }: OpenDatabase, asked: SumTable): Promise<string[]> {
  const channels = await listServedModels(db);
  const names = channels
    .filter(({ group }) => splitList(group).includes(VISITORS_GROUP))
    .flatMap(({ models }) => splitList(models));
  return [...new Set(names)].filter((model) => asked.sumsOf(model).requests > 0).sort();
}

function partAnswered({ requests, errors }: Sums): number | null {
  return requests === 0 ? null : (requests - errors) / requests;
}
