import type { Log } from "@one-api/contract/logs/log";
import type { LogErrors } from "@one-api/contract/logs/log-totals";
import { actorIsAdmin } from "../../../core/actor.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { findIds, type NameChannels, presentLogs } from "../list-logs.ts";
import type { LogFilter } from "../log-filter.ts";
import { listRowsByIds } from "../log.repository.ts";
import { type Fault, faultOf, messageKey } from "./fault.ts";

/** Upper bound of entries whose messages are read. */
const MOST_READ = 2_000;
const ROWS_PER_READ = 200;
const MOST_GROUPS = 100;

/** Groups the newest 2,000 failed requests that match by kind, status and message, most frequent first. */
export async function groupErrors(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
): Promise<LogErrors> {
  const failed = filter.results.filter((result) => result !== "ok");
  if (filter.results.length > 0 && failed.length === 0) return { groups: [], read: 0, total: 0 };
  const { db } = context.database;
  const forAdmin = actorIsAdmin(requireActor(context));
  const errors: LogFilter = { ...filter, results: failed.length === 0 ? ["errors"] : failed };
  const { ids, total } = await findIds(context, errors, { offset: 0, limit: MOST_READ, upTo: 0 });
  const groups = new Map<string, ErrorGroup>();
  for (let start = 0; start < ids.length; start += ROWS_PER_READ) {
    const rows = await listRowsByIds(db, errors, ids.slice(start, start + ROWS_PER_READ));
    for (const log of await presentLogs(db, () => Promise.resolve(new Map()), rows, forAdmin)) addTo(groups, log);
  }
  const shown = [...groups.values()].toSorted((left, right) => right.entries - left.entries).slice(0, MOST_GROUPS);
  const names = await nameChannels(db, [...new Set(shown.flatMap(({ channels }) => [...channels.keys()]))]);
  return {
    groups: shown.map(({ channels, ...group }) => ({
      ...group,
      channels: [...channels]
        .map(([id, entries]) => ({ id, name: names.get(id) ?? "", entries }))
        .toSorted((left, right) => right.entries - left.entries),
    })),
    read: ids.length,
    total,
  };
}

interface ErrorGroup extends Omit<LogErrors["groups"][number], "channels"> {
  readonly channels: Map<number, number>;
}

function addTo(groups: Map<string, ErrorGroup>, log: Log): void {
  const fault = faultOf(log);
  const key = JSON.stringify([fault.kind, log.status_code, messageKey(fault.message)]);
  const group = groups.get(key) ?? newGroup(log, fault);
  group.entries += 1;
  group.first_at = Math.min(group.first_at, log.created_at);
  group.last_at = Math.max(group.last_at, log.created_at);
  if (fault.channel !== 0) group.channels.set(fault.channel, (group.channels.get(fault.channel) ?? 0) + 1);
  groups.set(key, group);
}

function newGroup({ id, status_code, created_at }: Log, { kind, message }: Fault): ErrorGroup {
  return {
    kind,
    status_code,
    message,
    entries: 0,
    first_at: created_at,
    last_at: created_at,
    newest_id: id,
    channels: new Map(),
  };
}
