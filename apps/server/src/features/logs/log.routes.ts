import * as calls from "@one-api/contract/logs/log";
import * as clearing from "@one-api/contract/logs/log-clearing";
import * as totals from "@one-api/contract/logs/log-totals";
import type { z } from "zod";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { FileExports } from "../../core/exports/file-exports.ts";
import { answerList } from "../../core/lists/list-page.ts";
import { getLogBodies } from "./bodies/get-log-bodies.ts";
import type { LogClearings } from "./clear-logs.ts";
import { countLogFacet, type SuggestChannels } from "./count-log-facet.ts";
import { groupErrors } from "./errors/group-errors.ts";
import { exportLogs } from "./export/export-logs.ts";
import { getLog } from "./get-log.ts";
import { getOwnRequest, getRequest, listLogs, type NameChannels } from "./list-logs.ts";
import { type LogFilter, NO_FILTER } from "./log-filter.ts";
import { countLogsByTime, sumLogs } from "./read-log-totals.ts";
import { tailLogs } from "./tail-logs.ts";

/** Channels come as functions, because their feature imports this one. */
export interface LogDependencies {
  readonly nameChannels: NameChannels;
  readonly suggestChannels: SuggestChannels;
  readonly clearings: LogClearings;
  readonly exports: FileExports;
}

type OwnFilterInput = z.output<(typeof totals.getOwnLogStat)["query"]>;
type FilterInput = z.output<(typeof totals.getLogStat)["query"]>;

export function registerLogCalls(registry: CallRegistry, deps: LogDependencies): void {
  const { nameChannels, clearings } = deps;
  registry.register(clearing.clearLogs, ({ context, query }) => clearings.clear(context, query.target_timestamp));
  registry.register(clearing.startLogClearing, ({ context, body }) => clearings.start(context, body.target_timestamp));
  registry.register(clearing.getLogClearing, ({ context, query }) => clearings.look(context, query.target_timestamp));
  registry.register(calls.listLogs, async ({ context, query, setTotal }) =>
    answerList(await listLogs(context, nameChannels, filterOnAll(query), query), setTotal),
  );
  registry.register(calls.listOwnLogs, async ({ context, query, setTotal }) =>
    answerList(await listLogs(context, nameChannels, filterOnOwn(requireActor(context).id, query), query), setTotal),
  );
  registry.register(calls.getOwnRequest, ({ context, params }) => getOwnRequest(context, params.request_id));
  registry.register(calls.getRequest, ({ context, params }) => getRequest(context, nameChannels, params.request_id));
  registry.register(totals.getLogStat, ({ context, query }) => sumLogs(context, filterOnAll(query)));
  registry.register(totals.getOwnLogStat, ({ context, query }) =>
    sumLogs(context, filterOnOwn(requireActor(context).id, query)),
  );
  registry.register(totals.countLogFacet, ({ context, query }) =>
    countLogFacet(context, deps, filterOnAll(query), query),
  );
  registry.register(totals.countOwnLogFacet, ({ context, query }) =>
    countLogFacet(context, deps, filterOnOwn(requireActor(context).id, query), query),
  );
  registry.register(totals.groupLogErrors, ({ context, query }) =>
    groupErrors(context, nameChannels, filterOnAll(query)),
  );
  registry.register(totals.groupOwnLogErrors, ({ context, query }) =>
    groupErrors(context, nameChannels, filterOnOwn(requireActor(context).id, query)),
  );
  registry.register(totals.getLogHistogram, ({ context, query }) =>
    countLogsByTime(context, filterOnAll(query), query.edges),
  );
  registry.register(totals.getOwnLogHistogram, ({ context, query }) =>
    countLogsByTime(context, filterOnOwn(requireActor(context).id, query), query.edges),
  );
  registry.register(totals.getLogStore, ({ context }) => context.logStore.status());
  registry.register(calls.getLog, ({ context, params }) => getLog(context, nameChannels, NO_FILTER, params.id));
  registry.register(calls.getOwnLog, ({ context, params }) =>
    getLog(context, nameChannels, { ...NO_FILTER, userId: requireActor(context).id }, params.id),
  );
  registry.register(calls.getLogBodies, ({ context, params }) => getLogBodies(context, NO_FILTER, params.id));
  registry.register(calls.getOwnLogBodies, ({ context, params }) =>
    getLogBodies(context, { ...NO_FILTER, userId: requireActor(context).id }, params.id),
  );
  registry.register(calls.tailLogs, ({ context, query }) =>
    tailLogs(context, nameChannels, filterOnAll(query), query.after),
  );
  registry.register(calls.tailOwnLogs, ({ context, query }) =>
    tailLogs(context, nameChannels, filterOnOwn(requireActor(context).id, query), query.after),
  );
  registerExports(registry, deps);
}

function registerExports(registry: CallRegistry, deps: LogDependencies): void {
  registry.registerDownload(calls.exportLogs, ({ context, query }) =>
    exportLogs(context, deps, filterOnAll(query), query.format),
  );
  registry.registerDownload(calls.exportOwnLogs, ({ context, query }) =>
    exportLogs(context, deps, filterOnOwn(requireActor(context).id, query), query.format),
  );
}

function filterOnAll(input: FilterInput): LogFilter {
  return { ...commonFilter(input), userId: 0, usernames: input.username, channelIds: input.channel };
}

function filterOnOwn(userId: number, input: OwnFilterInput): LogFilter {
  return { ...commonFilter(input), userId, usernames: [], channelIds: [] };
}

function commonFilter(input: OwnFilterInput) {
  return {
    types: input.type,
    tokenNames: input.token_name,
    modelNames: input.model_name,
    aliases: input.alias,
    results: input.result,
    startTimestamp: input.start_timestamp,
    endTimestamp: input.end_timestamp,
  };
}
