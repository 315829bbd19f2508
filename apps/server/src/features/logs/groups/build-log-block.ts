import type { OpenDatabase } from "@one-api/database/open-database";
import type { Rest } from "../../../core/work/pace.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { GroupSums } from "./group-sums.ts";
import { readGroups, removeGroups, saveGroups } from "./group-texts.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL, type LogGroup, partsOf, type View, VIEW } from "./log-groups.ts";

/** A user or token's name with more groups in a block is added up without channels, too; what has fewer is looked through at little cost. */
const MANY_GROUPS = 128;
/** Batches of which a part's groups are added up at a stretch: a few ms of work. */
const BATCHES_PER_TURN = 16;

/** The label that tells most groups of a view in batches apart. */
const LABEL_OF = {
  [VIEW.all]: "model_name",
  [VIEW.user]: "user_id",
  [VIEW.token]: "token_name",
  [VIEW.channel]: "channel_id",
} as const;

/** What adds up a block. */
interface Work {
  readonly kind: OpenDatabase["kind"];
  readonly db: Queryable;
  readonly rest: Rest;
}

/** Adds up the batches of a block, some users, tokens or channels at a time. What a stopped process left of it is thrown away. */
export async function buildBlock(work: Work, block: number): Promise<void> {
  const { db, rest } = work;
  await removeGroups(db, LEVEL.block, block);
  const save = async (view: View, groups: readonly LogGroup[]) => {
    await saveGroups(db, { level: LEVEL.block, view, batch: block }, groups);
    await rest();
  };
  await save(VIEW.all, withoutBatches(await addUpPart(work, block, VIEW.all, 0)));
  for (const part of partsOf(LEVEL.batch, VIEW.channel))
    await save(VIEW.channel, await addUpPart(work, block, VIEW.channel, part));
  for (const [view, key, viewByChannel] of [
    [VIEW.user, "user_id", VIEW.userByChannel],
    [VIEW.token, "token_name", VIEW.tokenByChannel],
  ] as const)
    for (const part of partsOf(LEVEL.batch, view)) {
      const { few, many } = divide(await addUpPart(work, block, view, part), key);
      await save(view, [...few, ...withoutChannels(many)]);
      await save(viewByChannel, many);
    }
}

/** The groups of a view's part in all batches of the block; their `ids` are how far these batches are from the last one before the block. */
async function addUpPart(
  { kind, db, rest }: Work,
  block: number,
  view: keyof typeof LABEL_OF,
  part: number,
): Promise<readonly LogGroup[]> {
  const before = (block - 1) * BATCHES_PER_BLOCK;
  const sums = new GroupSums(LABEL_OF[view]);
  for (let first = 1; first <= BATCHES_PER_BLOCK; first += BATCHES_PER_TURN) {
    const batches = Array.from({ length: BATCHES_PER_TURN }, (_, index) => before + first + index);
    const texts = await readGroups(kind, db, { level: LEVEL.batch, view, parts: [part], batches });
    for (const { batch, groups } of texts)
      for (const group of groups) sums.add(group, { ...group, bucket: 0 }, String(batch - before));
    if (texts.length > 0) await rest();
  }
  return sums.groups;
}

/** Those of users or names of tokens, `key`, with few groups and those of others. */
function divide(groups: readonly LogGroup[], key: "user_id" | "token_name") {
  const byKey = [...Map.groupBy(groups, (group) => group[key]).values()];
  return {
    few: byKey.filter(({ length }) => length <= MANY_GROUPS).flat(),
    many: byKey.filter(({ length }) => length > MANY_GROUPS).flat(),
  };
}

function withoutChannels(groups: readonly LogGroup[]): readonly LogGroup[] {
  const sums = new GroupSums("model_name");
  for (const group of groups) sums.add({ ...group, channel_id: 0 }, group, "");
  return withoutBatches(sums.groups);
}

/** Where channels are not told apart, entries are in most batches. */
function withoutBatches(groups: readonly LogGroup[]): readonly LogGroup[] {
  return groups.map((group) => ({ ...group, ids: "" }));
}
