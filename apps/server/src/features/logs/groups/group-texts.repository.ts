import type { OpenDatabase } from "@one-api/database/open-database";
import { rowsReader } from "../../../core/database/read-rows.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { among, type Level, type LogGroup, partOf, type View } from "./log-groups.ts";

/** Texts of one statement. */
const TEXTS_PER_INSERT = 64;

/** A group as its text has it: a list of its values. */
type GroupValues = readonly [
  user_id: number,
  username: string,
  token_name: string,
  model_name: string,
  channel_id: number,
  type: number,
  result: string,
  bucket: number,
  entries: number,
  quota: number,
  tokens: number,
  ids: string,
];

/** Where groups stand: in parts of a view, of these batches or blocks. */
export interface GroupPlace {
  readonly level: Level;
  readonly view: View;
  readonly parts: readonly number[];
  readonly batches: readonly number[];
}

/**
 * Writes the groups of a batch or block that stand in a view: a text for each part that has any. A row for each group cost ten times as much where many
 * users call.
 */
export async function saveGroups(
  db: Queryable,
  { level, view, batch }: Pick<GroupPlace, "level" | "view"> & { readonly batch: number },
  groups: readonly LogGroup[],
): Promise<void> {
  const byPart = Map.groupBy(groups, (group) => partOf(level, view, group));
  const texts = [...byPart].map(([part, ofPart]) => ({
    level,
    batch,
    view,
    part,
    groups: JSON.stringify(ofPart.map(toValues)),
  }));
  for (let first = 0; first < texts.length; first += TEXTS_PER_INSERT)
    await db
      .insertInto("log_group_texts")
      .values(texts.slice(first, first + TEXTS_PER_INSERT))
      .execute();
}

/** The groups that stand there, text by text, in no order. */
export async function readGroups(
  kind: OpenDatabase["kind"],
  db: Queryable,
  { level, view, parts, batches }: GroupPlace,
): Promise<readonly { readonly batch: number; readonly groups: readonly LogGroup[] }[]> {
  const rows = await db
    .selectFrom("log_group_texts")
    .select(["batch", "groups"])
    .where("level", "=", level)
    .where(among(kind, batches))
    .where("view", "=", view)
    .where("part", "in", parts)
    .execute();
  return rows.map(({ batch, groups }) => ({ batch, groups: readValues(groups).map(toGroup) }));
}

/** Removes all groups of a batch or block. */
export async function removeGroups(db: Queryable, level: Level, batch: number): Promise<void> {
  await db.deleteFrom("log_group_texts").where("level", "=", level).where("batch", "=", batch).execute();
}

function toValues(group: LogGroup): GroupValues {
  const { user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota } = group;
  const { tokens, ids } = group;
  return [user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota, tokens, ids];
}

const readValues = rowsReader<GroupValues>([
  "number",
  "string",
  "string",
  "string",
  "number",
  "number",
  "string",
  "number",
  "number",
  "number",
  "number",
  "string",
]);

function toGroup(values: GroupValues): LogGroup {
  const [user_id, username, token_name, model_name, channel_id, type, result, bucket, entries, quota] = values;
  const [tokens, ids] = [values[10], values[11]];
  const labels = { user_id, username, token_name, model_name, channel_id, type, result };
  return { ...labels, bucket, entries, quota, tokens, ids };
}
