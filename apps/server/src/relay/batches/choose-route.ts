import type { BatchApi } from "@one-api/providers/batch-api";
import { labelsOf } from "@one-api/providers/registry";
import { type ParsedRequest, requestFacts } from "../body/index.ts";
import { type Caller, modelsFor } from "../callers/index.ts";
import { chooseAtRandom, type PricedCandidate, weighCandidates } from "../routing/index.ts";
import { RelayError } from "../errors/index.ts";
import { batchesOf } from "./call-batch-api.ts";
import { storageAddress } from "../passthrough/index.ts";
import type { BatchServices } from "./batch-services.ts";

export interface BatchRoute extends PricedCandidate {
  readonly batches: BatchApi;
  readonly factor: number;
}

type ChoosingServices = Pick<BatchServices, "plans" | "aliases" | "health" | "clock" | "random">;

/**
 * Prefers the channel that has the file, among those of the first model of an alias that has batches. `parsed`: the first
 * line, by which conditions of an alias are judged. Throws a RelayError (403, 404 or 501) if no channel of the caller's groups has batches.
 */
export async function chooseRoute(
  services: ChoosingServices,
  caller: Caller,
  parsed: ParsedRequest,
  fileChannelId: number,
): Promise<BatchRoute> {
  const models = modelsFor(services, caller, parsed, () => requestFacts(parsed));
  const plan = await services.plans.find(caller, parsed, models);
  const routes = plan.routes.flatMap((route) => {
    const { channel, service, upstreamModel } = route;
    const batches = batchesOf(channel);
    const factor = batches?.priceFactor(upstreamModel);
    const passes = service.format.name === parsed.format.name;
    if (batches === undefined || factor === undefined || !passes) return [];
    const hasStorage = storageAddress(channel, batches.path) !== undefined;
    // Lines of a batch are sent as they are.
    const unchanged = { ...route, channel: { ...channel, overrides: undefined } };
    return hasStorage ? [{ ...unchanged, batches, factor }] : [];
  });
  const chosen = chooseAtRandom(weighCandidates(routes, services, new Set()), services.random());
  const { model } = chosen ?? routes[0] ?? parsed;
  const route = routes.find((own) => own.id === fileChannelId && own.model === model) ?? chosen;
  if (route === undefined) throw noBatches(parsed.model);
  return route;
}

function noBatches(model: string): RelayError {
  const message = `No channel that serves ${model} to your group has batches: that takes one of the type ${labelsOf(({ batches }) => batches !== undefined)} that is awake. Send the requests one by one.`;
  return new RelayError({ status: 501, code: "not_supported", param: "input_file_id", message });
}
