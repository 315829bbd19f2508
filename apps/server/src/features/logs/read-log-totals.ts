import { LOG_RESULTS } from "@one-api/contract/constants";
import type { getLogStat, LogHistogram } from "@one-api/contract/logs/log-totals";
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

export async function countLogsByTime(context: Context, filter: LogFilter, edges: string): Promise<LogHistogram> {
  const question = { kind: "histogram", filter, edges: edges.split(",").map(Number) } as const;
  const { answer } = await askLog(context, question);
  return answer.map(({ interval, result, entries }) => ({
    interval,
    result: LOG_RESULTS.find((known) => known === result) ?? "",
    entries,
  }));
}
