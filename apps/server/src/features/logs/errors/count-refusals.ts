import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { CallContext } from "../../../core/call-context.ts";
import { askLog } from "../ask-log.ts";
import { presentLog } from "../log.present.ts";
import { type LogFilter, NO_FILTER } from "../log-filter.ts";
import { listRowsByIds } from "../log.repository.ts";
import { findIds } from "../list-logs.ts";

const MOST_MODELS = 1_000;
/** Upper bound of entries that are read; beyond it the counts are of the newest. */
const MOST_READ = 2_000;
const ROWS_PER_READ = 200;

type Context = Pick<CallContext, "database" | "logStore" | "signal">;

function refusalsSince(since: number): LogFilter {
  return { ...NO_FILTER, types: [LOG_TYPE.consumption], results: ["refused"], startTimestamp: since };
}

/** Returns the requested models of refused requests. `since` in Unix seconds. Throws as `askLog`. */
export async function listRefusedNames(context: Context, since: number): Promise<string[]> {
  const question = { column: "model_name", filter: refusalsSince(since), keyword: "", limit: MOST_MODELS } as const;
  const { answer } = await askLog(context, { kind: "values", ...question });
  return answer.map(({ value }) => value);
}

/** Counts requests for each of the models that were refused with a code. `since` in Unix seconds. */
export async function countRefusals(
  context: Context,
  { code, models, since }: { readonly code: string; readonly models: readonly string[]; readonly since: number },
): Promise<ReadonlyMap<string, number>> {
  const filter = { ...refusalsSince(since), modelNames: models };
  const { ids } = await findIds(context, filter, { offset: 0, limit: MOST_READ, upTo: 0 });
  const counts = new Map<string, number>();
  for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
    const rows = await listRowsByIds(context.database.db, filter, ids.slice(start, start + ROWS_PER_READ));
    for (const row of rows) {
      const { detail, model_name: model } = presentLog(row, true, new Map());
      if (detail?.refusal !== code) continue;
      counts.set(model, (counts.get(model) ?? 0) + (detail.refusal_count ?? 1));
    }
  }
  return counts;
}
