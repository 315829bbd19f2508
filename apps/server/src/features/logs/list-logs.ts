import type { Log } from "@one-api/contract/logs/log";
import { actorIsAdmin } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findLogIds } from "./find-log-ids.ts";
import { presentLog } from "./log.present.ts";
import type { LogFilter } from "./log-filter.ts";
import { findRowOfRequest, type LogRow, listRowsByIds } from "./log.repository.ts";

/** Names of channels by id; those that are deleted have none. */
export type NameChannels = (queryable: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** Which page of a list. */
export interface LogPage {
  /** From 0. */
  readonly p: number;
  readonly size: number;
  /** Entries after this id are left out; 0 for none. */
  readonly up_to: number;
}

/** One page of the entries that the filter leaves, newest first, as the caller may see them; the total is counted up to 10,000. */
export async function listLogs(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  page: LogPage,
): Promise<Listed<Log>> {
  const forAdmin = actorIsAdmin(requireActor(context));
  const { db } = context.database;
  const { ids, total } = await findLogIds(context.database, filter, { ...pageOf(page), upTo: page.up_to });
  const rows = ids.length === 0 ? [] : await listRowsByIds(db, filter, ids);
  return { rows: await presentLogs(db, nameChannels, rows, forAdmin), total };
}

/** The rows as the API answers them, with the names of their channels for administrators. */
export async function presentLogs(
  queryable: Queryable,
  nameChannels: NameChannels,
  rows: readonly LogRow[],
  forAdmin: boolean,
): Promise<Log[]> {
  const ids = forAdmin ? [...new Set(rows.map((row) => row.channel_id).filter((id) => id !== 0))] : [];
  const names = await nameChannels(queryable, ids);
  return rows.map((row) => presentLog(row, forAdmin, names));
}

/** The caller's entry of one request, as users see it; null for somebody else's, and while there is none. */
export async function getOwnRequest(context: CallContext, requestId: string): Promise<Log | null> {
  const row = await findRowOfRequest(context.database.db, requestId);
  return row?.user_id === requireActor(context).id ? presentLog(row, false, new Map()) : null;
}

/** The entry of one request, whose ever it is; null while there is none. */
export async function getRequest(
  { database: { db } }: CallContext,
  nameChannels: NameChannels,
  requestId: string,
): Promise<Log | null> {
  const row = await findRowOfRequest(db, requestId);
  return row === undefined ? null : presentLog(row, true, await nameChannels(db, [row.channel_id]));
}
