import type { Log } from "@one-api/contract/logs/log";
import type { PageQuestion } from "@one-api/log-store/questions";
import { actorIsAdmin } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { askLog } from "./ask-log.ts";
import { presentLog } from "./log.present.ts";
import type { LogFilter } from "./log-filter.ts";
import { findNewestId, findRowOfRequest, listIds, type LogRow, listRowsByIds } from "./log.repository.ts";

export type NameChannels = (queryable: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

export interface LogPage {
  readonly p: number;
  readonly size: number;
  readonly up_to: number;
}

/** Entries searched while the log store is incomplete. */
const NEWEST_IDS = 4_096;

const NOT_RUNNING: ReadonlySet<string> = new Set(["log-store-off", "log-store-failed"]);

/**
 * One page of the matching entries that the caller may see, newest first.
 * While the log store is incomplete or off, only the newest 4,096 entries are searched.
 */
export async function listLogs(
  context: CallContext,
  nameChannels: NameChannels,
  filter: LogFilter,
  page: LogPage,
): Promise<Listed<Log>> {
  const forAdmin = actorIsAdmin(requireActor(context));
  const { db } = context.database;
  const { offset, limit } = pageOf(page);
  const { ids, total } = await findIds(context, filter, { offset, limit, upTo: page.up_to });
  const rows = ids.length === 0 ? [] : await listRowsByIds(db, filter, ids);
  return { rows: await presentLogs(db, nameChannels, rows, forAdmin), total };
}

interface FoundIds {
  readonly ids: readonly number[];
  readonly total: number;
}

type IdPage = Pick<PageQuestion, "offset" | "limit" | "upTo">;

/** Ids of the matching entries, newest first; among the newest 4,096 only while the log store is incomplete or off. */
export async function findIds(
  context: Pick<CallContext, "database" | "logStore" | "signal">,
  filter: LogFilter,
  page: IdPage,
): Promise<FoundIds> {
  const question = { kind: "page", filter, ...page, withTotal: true } as const;
  try {
    const { answer, isComplete } = await askLog(context, question);
    if (isComplete) return answer;
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_RUNNING.has(error.code)) throw error;
  }
  return findNewestIds(context, filter, page);
}

async function findNewestIds(
  { database: { db } }: Pick<CallContext, "database">,
  filter: LogFilter,
  { offset, limit, upTo }: IdPage,
): Promise<FoundIds> {
  const newest = await findNewestId(db);
  const last = upTo === 0 ? newest : upTo;
  const ids = await listIds(db, filter, { after: Math.max(0, newest - NEWEST_IDS), last });
  return { ids: ids.slice(offset, offset + limit), total: ids.length };
}

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

/** The caller's entry of a request, without routing. Null for another user's request and for a missing entry. */
export async function getOwnRequest(context: CallContext, requestId: string): Promise<Log | null> {
  const row = await findRowOfRequest(context.database.db, requestId);
  return row?.user_id === requireActor(context).id ? presentLog(row, false, new Map()) : null;
}

export async function getRequest(
  { database: { db } }: CallContext,
  nameChannels: NameChannels,
  requestId: string,
): Promise<Log | null> {
  const row = await findRowOfRequest(db, requestId);
  return row === undefined ? null : presentLog(row, true, await nameChannels(db, [row.channel_id]));
}
