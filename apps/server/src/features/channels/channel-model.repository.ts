import { splitList } from "@one-api/contract/fields";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

/** Rows of one insert, ids of one delete: both databases limit the parameters of a statement. */
const ROWS_PER_STATEMENT = 1_000;

/** A channel and what it serves to whom, as comma-separated lists. */
export interface ServingChannel {
  readonly id: number;
  readonly models: string;
  readonly group: string;
}

/** Adds the channels to the model index; they must not be in it. */
export async function indexChannels(queryable: Queryable, channels: readonly ServingChannel[]): Promise<void> {
  const rows = channels.flatMap(indexRows);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await queryable
      .insertInto("channel_models")
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

/** Takes the channels out of the model index. */
export async function unindexChannels(queryable: Queryable, channelIds: readonly number[]): Promise<void> {
  for (let start = 0; start < channelIds.length; start += ROWS_PER_STATEMENT) {
    await queryable
      .deleteFrom("channel_models")
      .where("channel_id", "in", channelIds.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

function indexRows({ id, models, group }: ServingChannel): Selectable<Tables["channel_models"]>[] {
  const ofModels = [...new Set(splitList(models))];
  return [...new Set(splitList(group))].flatMap((name) =>
    ofModels.map((model) => ({ group: name, model, channel_id: id })),
  );
}
