import type { BatchApi } from "@one-api/providers/batch-api";
import { labelsOf } from "@one-api/providers/registry";
import type { ParsedRequest } from "../body/index.ts";
import { type Caller, checkModel } from "../callers/index.ts";
import { chooseAtRandom, type PricedCandidate, weighCandidates } from "../routing/index.ts";
import { RelayError } from "../errors/index.ts";
import { batchesOf } from "./call-batch-api.ts";
import { storageAddress } from "../passthrough/index.ts";
import type { BatchServices } from "./batch-services.ts";

/** Where a batch goes, and what its being one multiplies the price by. */
export interface BatchRoute extends PricedCandidate {
  readonly group: string;
  readonly batches: BatchApi;
  readonly factor: number;
}

type ChoosingServices = Pick<BatchServices, "plans" | "health" | "clock" | "random">;

/**
 * The channel for the batch whose first request is `ask`: the one that has the file where that serves the model, else another of the caller's groups
 * that has batches. Throws a RelayError (403, 404 or 501) where there is none.
 */
export async function chooseRoute(
  services: ChoosingServices,
  caller: Caller,
  ask: ParsedRequest,
  fileChannelId: number,
): Promise<BatchRoute> {
  checkModel(caller, ask.model);
  const plan = await services.plans.find(caller.groups, ask);
  const routes = plan.routes.flatMap((route) => {
    const { channel, service, upstreamModel } = route;
    const batches = batchesOf(channel);
    const factor = batches?.priceFactor(upstreamModel);
    const passes = service.format.name === ask.format.name;
    if (batches === undefined || factor === undefined || !passes) return [];
    const keeps = storageAddress(channel, batches.path) !== undefined;
    return keeps ? [{ ...route, batches, factor, group: plan.group }] : [];
  });
  const own = routes.find(({ id }) => id === fileChannelId);
  const route =
    own ?? chooseAtRandom(weighCandidates(routes, services.health, services.clock, new Set()), services.random());
  if (route === undefined) throw noBatches(ask.model);
  return route;
}

function noBatches(model: string): RelayError {
  const message = `No channel that serves ${model} to your group has batches: that takes one of the type ${labelsOf(({ batches }) => batches !== undefined)} that is awake. Send the requests one by one.`;
  return new RelayError({ status: 501, code: "not_supported", param: "input_file_id", message });
}
