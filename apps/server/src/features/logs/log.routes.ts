import * as calls from "@one-api/contract/log";
import type { z } from "zod";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type LogList, listLogs } from "./list-logs.ts";
import type { LogFilter } from "./log.repository.ts";
import { sumLogs } from "./sum-logs.ts";

type OwnFilterInput = Omit<z.output<(typeof calls.listOwnLogs)["query"]>, "p">;
type FilterInput = Omit<z.output<(typeof calls.listLogs)["query"]>, "p">;

/** Hands in the calls that read the log. */
export function registerLogCalls(registry: CallRegistry): void {
  registry.register(calls.listLogs, async ({ context, query, setTotal }) =>
    answerList(await listLogs(context, filterOnAll(query), query.p), setTotal),
  );
  registry.register(calls.listOwnLogs, async ({ context, query, setTotal }) =>
    answerList(await listLogs(context, filterOnOwn(requireActor(context).id, query), query.p), setTotal),
  );
  registry.register(calls.getLogStat, ({ context, query }) => sumLogs(context.database, filterOnAll(query)));
  registry.register(calls.getOwnLogStat, ({ context, query }) =>
    sumLogs(context.database, filterOnOwn(requireActor(context).id, query)),
  );
}

function answerList({ logs, total }: LogList, setTotal: (total: number) => void) {
  setTotal(total);
  return logs;
}

/** The filter on everybody's entries. */
function filterOnAll(input: FilterInput): LogFilter {
  return { ...commonFilter(input), userId: 0, username: input.username, channelId: input.channel };
}

/** The filter on one user's entries. */
function filterOnOwn(userId: number, input: OwnFilterInput): LogFilter {
  return { ...commonFilter(input), userId, username: "", channelId: 0 };
}

function commonFilter(input: OwnFilterInput) {
  return {
    type: input.type,
    tokenName: input.token_name,
    modelName: input.model_name,
    startTimestamp: input.start_timestamp,
    endTimestamp: input.end_timestamp,
  };
}
