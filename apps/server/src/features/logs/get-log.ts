import type { LogStory } from "@one-api/contract/logs/log";
import { actorIsAdmin, actorIsRoot } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { hasStoredBodies } from "./bodies/stored-body.repository.ts";
import type { NameChannels } from "./list-logs.ts";
import { presentLog } from "./log.present.ts";
import type { LogFilter } from "./log-filter.ts";
import { listRowsByIds } from "./log.repository.ts";

/** All details of an entry. Throws `not-found` for entries that the filter excludes. */
export async function getLog(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  id: number,
): Promise<LogStory> {
  const actor = requireActor(context);
  const forAdmin = actorIsAdmin(actor);
  const { db } = context.database;
  const [row] = await listRowsByIds(db, filter, [id]);
  if (row === undefined) throw new AppError("not-found", "There is no such entry in the log, or not any more.");
  const mayRead = actorIsRoot(actor) || row.user_id === actor.id;
  const unnamed = presentLog(row, forAdmin, new Map());
  const channels = [unnamed.channel, ...(unnamed.detail?.attempts ?? []).flatMap(channelsOf)];
  const names = await nameChannels(
    db,
    [...new Set(channels)].filter((channel) => channel !== 0),
  );
  return {
    ...unnamed,
    has_bodies: mayRead && (await hasStoredBodies(db, row.request_id)),
    channel_name: names.get(unnamed.channel) ?? "",
    channel_names: [...names].map(([channel, name]) => ({ id: channel, name })),
  };
}

function channelsOf({ channel, choice }: NonNullable<LogStory["detail"]>["attempts"][number]): number[] {
  return [channel, ...(choice?.passed ?? []).map((passed) => passed.channel)];
}
