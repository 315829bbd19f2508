import { LOG_RESULTS } from "@one-api/contract/constants";
import type { countLogResults as countLogResultsCall, getLogStat, LogHistogram } from "@one-api/contract/logs/log";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { askLog } from "./ask-log.ts";
import type { LogFilter } from "./log-filter.ts";

type Context = Pick<CallContext, "logStore" | "signal">;

/** Charges less refunds of the matching entries. The filter's type is ignored. */
export async function sumLogs(context: Context, filter: LogFilter): Promise<z.input<(typeof getLogStat)["data"]>> {
  const { quota, tokens } = (await askLog(context, { kind: "totals", filter })).answer;
  return { quota, token: tokens };
}

/** Number of matching requests by result, the most frequent first. The filter's result is ignored. */
export async function countLogResults(
  context: Context,
  filter: LogFilter,
): Promise<z.input<(typeof countLogResultsCall)["data"]>> {
  const { answer } = await askLog(context, { kind: "results", filter: { ...filter, result: "" } });
  const counts = new Map<string, number>();
  for (const { result, entries } of answer) counts.set(result, (counts.get(result) ?? 0) + entries);
  return LOG_RESULTS.map((result) => ({ result, requests: counts.get(result) ?? 0 }))
    .filter(({ requests }) => requests > 0)
    .toSorted((left, right) => right.requests - left.requests);
}

export async function countLogsByTime(context: Context, filter: LogFilter, edges: string): Promise<LogHistogram> {
  const question = { kind: "histogram", filter, edges: edges.split(",").map(Number) } as const;
  const { answer } = await askLog(context, question);
  return answer.map(({ interval, result, entries }) => ({
    interval,
    // Entries of older versions may have other results.
    result: LOG_RESULTS.find((known) => known === result) ?? "",
    entries,
  }));
}
