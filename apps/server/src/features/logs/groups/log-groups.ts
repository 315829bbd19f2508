import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Entries of a batch, the smallest stretch of ids whose groups are known. */
export const FULL_BATCH = 2_048;
/** Batches that are added up to a block. */
export const BATCHES_PER_BLOCK = 64;

export const LEVEL = { batch: 0, block: 1 } as const;

/**
 * What groups tell apart beside model, type and result: nothing, users with their tokens, the names of tokens, or channels. Batches tell channels
 * apart for users and tokens, too. In blocks, which are what long times are read from, users and tokens with many groups have them without
 * channels, and once more by channel in `log_channel_groups`: with a thousand channels nearly each of their entries is a group of its own there.
 */
export const VIEW = { all: 0, user: 1, token: 2, channel: 3 } as const;

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
