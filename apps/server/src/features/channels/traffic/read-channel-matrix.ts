import {
  type ChannelMatrix,
  type getChannelMatrix,
  MOST_MATRIX_MODELS,
} from "@one-api/contract/channels/channel-matrix";
import type { z } from "zod";
import type { CallContext } from "../../../core/call-context.ts";
import type { ListShares } from "../channel-dependencies.ts";
import { listModelsServedTo } from "../channel-models.repository.ts";
import { type createDayOfModels, unlessRefused } from "./read-day-traffic.ts";

export interface MatrixDependencies {
  readonly listShares: ListShares;
  readonly readModels: ReturnType<typeof createDayOfModels>;
}

/** Shares of channels in the requests for a group's models. A model that loses all channels stays, without shares. */
export async function readChannelMatrix(
  context: CallContext,
  { listShares, readModels }: MatrixDependencies,
  { group, keyword, without = "" }: z.output<typeof getChannelMatrix.query>,
): Promise<ChannelMatrix> {
  const served = await listModelsServedTo(context.database.db, [group]);
  const wanted = keyword.toLowerCase();
  const names = [...new Set(served.map(({ model }) => model))].filter((name) => name.toLowerCase().includes(wanted));
  const requests = await unlessRefused(readModels(context), new Map<string, number>());
  const countOf = (name: string) => requests.get(name) ?? 0;
  const shown = names
    .toSorted((left, right) => countOf(right) - countOf(left) || left.localeCompare(right))
    .slice(0, MOST_MATRIX_MODELS);
  const off = new Set(without.split(",").map(Number));
  const models = shown.map(async (model) => ({
    model,
    requests: countOf(model),
    shares: await listShares(model, group, undefined, off),
  }));
  return { models: await Promise.all(models), total: names.length };
}
