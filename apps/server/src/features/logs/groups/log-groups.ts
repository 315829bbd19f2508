import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { LogLabels } from "../log-filter.ts";

/** Entries of a batch, the smallest stretch of ids whose groups are known. */
export const FULL_BATCH = 2_048;
/** Batches that are added up to a block. */
export const BATCHES_PER_BLOCK = 64;

export const LEVEL = { batch: 0, block: 1 } as const;

export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/**
 * What groups tell apart beside model, type and result: nothing, users with their tokens, the names of tokens, or channels. Batches tell channels
 * apart for users and tokens, too. In blocks, which are what long times are read from, users and tokens with many groups have them without
 * channels, and once more in views of their own, where they stand by channel: with a thousand channels nearly each of their entries is a group of its
 * own there.
 */
export const VIEW = { all: 0, user: 1, token: 2, channel: 3, userByChannel: 4, tokenByChannel: 5 } as const;

export type View = (typeof VIEW)[keyof typeof VIEW];

/** Entries of a batch or block that are alike; labels are 0 or empty where the view does not tell them apart. */
export interface LogGroup extends LogLabels {
  /** The first batch whose `newest` is not before the entries; 0 in blocks. */
  readonly bucket: number;
  readonly entries: number;
  /** Of either sign. */
  readonly quota: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
  /**
   * How far the ids are from the last one before the batch, with commas, in no order. In blocks the same of their batches, some more than once; empty
   * where channels are not told apart.
   */
  readonly ids: string;
}

/** Groups of a view stand in so many texts at the most, by what they are of: those of 2,048 users in a batch in 64 of 32 each. Stored: it must stay. */
const PARTS = { [LEVEL.batch]: 64, [LEVEL.block]: 1_024 } as const;

type PartLabels = Pick<LogLabels, "user_id" | "token_name" | "channel_id">;

/**
 * The part in which groups of a user, a token's name or a channel stand. Those of one part of a batch are in parts of their own in its block, whatever
 * their channels are.
 */
export function partOf(level: Level, view: View, labels: PartLabels): number {
  switch (view) {
    case VIEW.all:
      return 0;
    case VIEW.user:
      return labels.user_id % PARTS[level];
    case VIEW.token:
      return numberOfName(labels.token_name) % PARTS[level];
    case VIEW.channel:
      return labels.channel_id % PARTS[level];
    case VIEW.userByChannel:
      return partByChannel(level, labels.user_id, labels.channel_id);
    case VIEW.tokenByChannel:
      return partByChannel(level, numberOfName(labels.token_name), labels.channel_id);
  }
}

function partByChannel(level: Level, number: number, channelId: number): number {
  const ofBatch = PARTS[LEVEL.batch];
  return ((number % ofBatch) + ofBatch * (Math.floor(number / ofBatch) + channelId)) % PARTS[level];
}

/** All parts that groups of the view may stand in. */
export function partsOf(level: Level, view: View): readonly number[] {
  return view === VIEW.all ? [0] : Array.from({ length: PARTS[level] }, (_, part) => part);
}

function numberOfName(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1) hash = (hash * 31 + name.charCodeAt(index)) % 0xff_ff_f1;
  return hash;
}

/** That a column, of batches where none is named, has one of the numbers, in the form that finds each of them in the index. */
export function among(
  kind: OpenDatabase["kind"],
  numbers: readonly number[],
  column = sql`batch`,
): RawBuilder<SqlBool> {
  return kind === "sqlite"
    ? sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(numbers)}))`
    : sql<SqlBool>`${column} = any(cast(${`{${numbers.join(",")}}`} as bigint[]))`;
}
