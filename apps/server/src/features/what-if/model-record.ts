import type { ReplayRow } from "@one-api/log-store/questions";
import type { ModelRecord } from "./alias-chain.ts";
import { MANY_REQUESTS, meanOf } from "./foresee-traffic.ts";

const SPOTLESS: ModelRecord = { early: 0, broken: 0, late: 0, failedMs: 0 };

/**
 * Returns the record of a model by the first of these rows that have many requests that it was tried for. A model that had
 * few in all fails like the requests of the alias, the last rows.
 */
export function recordOf(model: string, sources: readonly (readonly ReplayRow[])[]): ModelRecord {
  for (const rows of sources) {
    const record = measure(model, rows);
    if (record !== undefined) return record;
  }
  const all = sources.at(-1) ?? [];
  const requests = requestsOf(all);
  return requests === 0 ? SPOTLESS : { ...SPOTLESS, early: sum(all, ({ sums }) => sums.errors) / requests };
}

function measure(model: string, rows: readonly ReplayRow[]): ModelRecord | undefined {
  const ended = rows.filter((row) => row.model === model);
  const moved = requestsOf(rows.filter(({ firstModel }) => firstModel === model));
  const tried = requestsOf(ended) + moved;
  if (tried < MANY_REQUESTS) return undefined;
  const late = ended.filter(({ isLate }) => isLate);
  const failed = sum(ended, ({ sums, broken }) => sums.errors - broken);
  const brokenLate = sum(late, ({ broken }) => broken);
  return {
    early: (failed + moved) / tried,
    broken: (sum(ended, ({ broken }) => broken) - brokenLate) / tried,
    late: requestsOf(late) / tried,
    failedMs: failed > 0 ? sum(ended, ({ failedMs }) => failedMs) / failed : waitBefore(model, rows),
  };
}

/** Time that failures of a model cost the requests that others then answered, in ms. */
function waitBefore(model: string, rows: readonly ReplayRow[]): number {
  const moved = rows.filter(({ firstModel }) => firstModel === model);
  const targets = new Set(moved.map((row) => row.model));
  const direct = rows.filter((row) => row.firstModel === "" && targets.has(row.model));
  const [after, without] = [firstByteOf(moved), firstByteOf(direct)];
  return after === null || without === null ? 0 : Math.max(0, after - without);
}

/** Mean of the median times to the first byte, in ms; null without streams. */
export function firstByteOf(rows: readonly ReplayRow[]): number | null {
  return meanOf(rows.map(({ firstByteMs, sums }) => [firstByteMs, sums.requests]));
}

export function requestsOf(rows: readonly Pick<ReplayRow, "sums">[]): number {
  return sum(rows, ({ sums }) => sums.requests);
}

export function sum<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((total, row) => total + pick(row), 0);
}
