import type { Log } from "@one-api/contract/logs/log";
import { actorIsAdmin } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { askLog } from "./ask-log.ts";
import { presentLog } from "./log.present.ts";
import type { LogFilter } from "./log-filter.ts";
import { findNewestId, findRowOfRequest, listIds, type LogRow, listRowsByIds } from "./log.repository.ts";

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

/** Entries that are looked at while the log store lacks some. */
const NEWEST_IDS = 4_096;

/** Refusals of a log store that does not run. */
const NOT_RUNNING: ReadonlySet<string> = new Set(["log-store-off", "log-store-failed"]);

/**
 * One page of the entries that the filter leaves, newest first, as the caller may see them, and how many they are. While the
 * log store lacks entries or does not run, only the newest 4,096 entries are looked at.
 */
export async function listLogs(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  page: LogPage,
): Promise<Listed<Log>> {
  const forAdmin = actorIsAdmin(requireActor(context));
  const { db } = context.database;
  const { ids, total } = await findIds(context, filter, page);
  const rows = ids.length === 0 ? [] : await listRowsByIds(db, filter, ids);
  return { rows: await presentLogs(db, nameChannels, rows, forAdmin), total };
}

interface FoundIds {
  readonly ids: readonly number[];
  readonly total: number;
}

async function findIds(context: CallContext, filter: LogFilter, page: LogPage): Promise<FoundIds> {
  const { offset, limit } = pageOf(page);
  const question = { kind: "page", filter, offset, limit, upTo: page.up_to, withTotal: true } as const;
  try {
    const { answer, isComplete } = await askLog(context, question);
    if (isComplete) return answer;
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_RUNNING.has(error.code)) throw error;
  }
  return findNewestIds(context, filter, { offset, limit, upTo: page.up_to });
}

async function findNewestIds(
  { database: { db } }: CallContext,
  filter: LogFilter,
  { offset, limit, upTo }: { readonly offset: number; readonly limit: number; readonly upTo: number },
): Promise<FoundIds> {
  const newest = await findNewestId(db);
  const last = upTo === 0 ? newest : upTo;
  const ids = await listIds(db, filter, { after: Math.max(0, newest - NEWEST_IDS), last });
  return { ids: ids.slice(offset, offset + limit), total: ids.length };
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
