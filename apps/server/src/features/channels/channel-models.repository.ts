import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { splitList } from "@one-api/contract/texts";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

const ROWS_PER_STATEMENT = 1_000;

export interface ServingChannel {
  readonly id: number;
  readonly models: string;
  readonly group: string;
}

/** The models that enabled channels serve to any of the groups, with the channel type. Distinct and sorted. */
export function listModelsServedTo(
  queryable: Queryable,
  groups: readonly string[],
): Promise<{ type: number; model: string }[]> {
  return queryable
    .selectFrom("channel_models")
    .innerJoin("channels", "channels.id", "channel_models.channel_id")
    .select(["channels.type", "channel_models.model"])
    .distinct()
    .where("channel_models.group", "in", groups)
    .where("channels.status", "=", CHANNEL_STATUS.enabled)
    .orderBy("channels.type")
    .orderBy("channel_models.model")
    .execute();
}

export async function hasChannelFor(queryable: Queryable, groups: readonly string[], model: string): Promise<boolean> {
  const row = await queryable
    .selectFrom("channel_models")
    .select("channel_id")
    .where("group", "in", groups)
    .where("model", "=", model)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of the models that enabled channels other than the ids serve to any group. */
export async function listModelsServedBesides(
  queryable: Queryable,
  ids: readonly number[],
  models: readonly string[],
): Promise<ReadonlySet<string>> {
  if (models.length === 0) return new Set();
  const rows = await queryable
    .selectFrom("channel_models")
    .innerJoin("channels", "channels.id", "channel_models.channel_id")
    .select("channel_models.model")
    .distinct()
    .where("channels.status", "=", CHANNEL_STATUS.enabled)
    .where("channels.id", "not in", ids)
    .where("channel_models.model", "in", models)
    .execute();
  return new Set(rows.map(({ model }) => model));
}

/** Models by group that enabled channels serve, all of them among the ids. */
export function listModelsServedOnlyBy(
  queryable: Queryable,
  ids: readonly number[],
): Promise<{ group: string; model: string }[]> {
  return queryable
    .selectFrom("channel_models as served")
    .innerJoin("channels", "channels.id", "served.channel_id")
    .select(["served.group", "served.model"])
    .distinct()
    .where("channels.id", "in", ids)
    .where("channels.status", "=", CHANNEL_STATUS.enabled)
    .where((build) =>
      build.not(
        build.exists(
          build
            .selectFrom("channel_models as also")
            .innerJoin("channels as others", "others.id", "also.channel_id")
            .select("also.channel_id")
            .whereRef("also.group", "=", "served.group")
            .whereRef("also.model", "=", "served.model")
            .where("others.status", "=", CHANNEL_STATUS.enabled)
            .where("others.id", "not in", ids),
        ),
      ),
    )
    .orderBy("served.model")
    .orderBy("served.group")
    .execute();
}

/** Adds rows of channels that are not in the model index yet. */
export async function indexChannels(queryable: Queryable, channels: readonly ServingChannel[]): Promise<void> {
  const rows = channels.flatMap(indexRows);
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await queryable
      .insertInto("channel_models")
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}

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
