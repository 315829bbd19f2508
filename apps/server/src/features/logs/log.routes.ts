import * as calls from "@one-api/contract/log";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import { type LogList, listLogs } from "./list-logs.ts";
import { filterOnAll, filterOnOwn } from "./read-log-filter.ts";
import { sumLogs } from "./sum-logs.ts";

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
