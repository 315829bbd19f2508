import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { conditionsOf, type LabelCondition, type LogFilter, type LogLabels } from "../log-filter.ts";
import type { ResultTotals, SuggestedColumn } from "../log.repository.ts";
import { readGroups } from "./group-texts.repository.ts";
import { type Level, LEVEL, type LogGroup, partOf, type View, VIEW } from "./log-groups.ts";

/** Batches or blocks whose groups are read at a stretch: a few ms of work in this very thread. */
const BATCHES_PER_TURN = 32;

/** Parts of a view. */
interface ViewParts {
  readonly view: View;
  readonly parts: readonly number[];
}

/** Which groups are meant: those that fit the filter best, by where they stand on each level, and what their labels must be. */
export interface GroupQuery {
  readonly places: Readonly<Record<Level, readonly ViewParts[]>>;
  readonly conditions: readonly LabelCondition[];
}

/** Chooses the groups for a filter; its times are not looked at. Undefined when no entry in a batch can match. */
export async function planGroups({ db }: OpenDatabase, filter: LogFilter): Promise<GroupQuery | undefined> {
  const { tokenName, channelId } = filter;
  const conditions = conditionsOf(filter);
  if (filter.userId === 0 && filter.username === "") {
    const keys = [{ user_id: 0, token_name: tokenName, channel_id: channelId }];
    if (tokenName !== "") return { places: placesOf(VIEW.token, VIEW.tokenByChannel, keys), conditions };
    return { places: placesOf(channelId === 0 ? VIEW.all : VIEW.channel, undefined, keys), conditions };
  }
  const userIds = filter.username === "" ? [filter.userId] : await findUserIds(db, filter);
  if (userIds.length === 0) return undefined;
  const keys = userIds.map((user_id) => ({ user_id, token_name: "", channel_id: channelId }));
  const ofUsers: LabelCondition = { label: "user_id", values: userIds, isNot: false };
  return { places: placesOf(VIEW.user, VIEW.userByChannel, keys), conditions: [ofUsers, ...conditions] };
}

type Key = Pick<LogLabels, "user_id" | "token_name" | "channel_id">;

/** Where the groups of some users, a token or a channel stand; in blocks those of one channel may stand in a view of their own, too. */
function placesOf(view: View, viewByChannel: View | undefined, keys: readonly Key[]): GroupQuery["places"] {
  const partsOn = (level: Level, of: View): ViewParts => ({
    view: of,
    parts: [...new Set(keys.map((key) => partOf(level, of, key)))],
  });
  const isOfOneChannel = keys.every(({ channel_id }) => channel_id !== 0);
  const byChannel = viewByChannel === undefined || !isOfOneChannel ? [] : [partsOn(LEVEL.block, viewByChannel)];
  return {
    [LEVEL.batch]: [partsOn(LEVEL.batch, view)],
    [LEVEL.block]: [partsOn(LEVEL.block, view), ...byChannel],
  };
}

/** Who has entries under the name; a name may have had several owners. */
async function findUserIds(db: OpenDatabase["db"], { username, userId }: LogFilter): Promise<number[]> {
  const rows = await db
    .selectFrom("log_names")
    .select("user_id")
    .where("kind", "=", "username")
    .where("name", "=", username)
    .execute();
  return rows.map(({ user_id }) => user_id).filter((id) => userId === 0 || id === userId);
}

/** Totals of the groups of one batch or block that the query leaves. */
export interface GroupTotals {
  readonly batch: number;
  readonly entries: number;
  readonly quota: number;
  readonly token: number;
}

/** Batches or blocks, and of batches the buckets, from the first to the last; without, all of them. */
export interface GroupStretch {
  readonly level: Level;
  readonly batches: readonly number[];
  readonly buckets?: readonly [first: number, last: number] | undefined;
}

/** A group with its batch or block. */
interface FoundGroup {
  readonly batch: number;
  readonly group: LogGroup;
}

/** Totals of each batch or block that has groups which the query leaves. */
export async function sumGroups(
  database: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly GroupTotals[]> {
  const totals = new Map<number, { batch: number; entries: number; quota: number; token: number }>();
  for (const { batch, group } of await findGroups(database, query, stretch)) {
    const known = totals.get(batch) ?? { batch, entries: 0, quota: 0, token: 0 };
    known.entries += group.entries;
    known.quota += group.quota;
    known.token += group.tokens;
    totals.set(batch, known);
  }
  return [...totals.values()];
}

/** Totals of each group that the query leaves, with its model and result. */
export async function sumGroupsByResult(
  database: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly ResultTotals[]> {
  const groups = await findGroups(database, query, stretch);
  return groups.map(({ group: { model_name: model, result, entries, quota, tokens } }) => ({
    model,
    result,
    entries,
    quota,
    tokens,
  }));
}

/** The ids of the groups that the query leaves; of blocks their batches, see `LogGroup`. */
export async function readGroupIds(
  database: OpenDatabase,
  query: GroupQuery,
  stretch: GroupStretch,
): Promise<readonly { readonly batch: number; readonly ids: string }[]> {
  const groups = await findGroups(database, query, stretch);
  return groups.map(({ batch, group }) => ({ batch, ids: group.ids }));
}

/** The column's different values in the groups that the query leaves. */
export async function listGroupValues(
  database: OpenDatabase,
  query: GroupQuery,
  column: SuggestedColumn,
  stretch: GroupStretch,
): Promise<string[]> {
  const groups = await findGroups(database, query, stretch);
  return [...new Set(groups.map(({ group }) => group[column]))];
}

async function findGroups(
  { kind, db }: OpenDatabase,
  { places, conditions }: GroupQuery,
  { level, batches, buckets: [first, last] = [0, Number.POSITIVE_INFINITY] }: GroupStretch,
): Promise<readonly FoundGroup[]> {
  const found: FoundGroup[] = [];
  for (let start = 0; start < batches.length; start += BATCHES_PER_TURN) {
    if (start > 0) await nextTurn();
    const some = batches.slice(start, start + BATCHES_PER_TURN);
    for (const place of places[level])
      for (const { batch, groups } of await readGroups(kind, db, { ...place, level, batches: some }))
        for (const group of groups)
          if (group.bucket >= first && group.bucket <= last && conditions.every((one) => isMet(one, group)))
            found.push({ batch, group });
  }
  return found;
}

function isMet({ label, values, isNot }: LabelCondition, group: LogGroup): boolean {
  return values.includes(group[label]) !== isNot;
}
