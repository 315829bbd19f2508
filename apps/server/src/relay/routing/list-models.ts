import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { Caller } from "../callers/index.ts";
import type { CallableModel } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import type { RoutingServices } from "./routing-services.ts";

/** Lists the models, in each version that a dialect has; one of them stands behind it with its name. */
export const MODELS_PATHS = ["/v1/models", "/v1beta/models", "/v1alpha/models"] as const;

/** A moment in 2021 that One API servers name as the creation of every model. */
const MODEL_CREATED = 1_626_777_600;

/** One model that the caller can call. Throws a 404 RelayError for others. */
export async function retrieveModel(
  services: Pick<RoutingServices, "channels">,
  caller: Caller,
  id: string,
): Promise<CallableModel> {
  const model = (await callableModels(services, caller)).find((listed) => listed.id === id);
  if (model === undefined) {
    const message = `The model ${id} does not exist or you may not call it.`;
    throw new RelayError({
      status: 404,
      type: "invalid_request_error",
      code: "model_not_found",
      param: "model",
      message,
    });
  }
  return model;
}

/** The models that the caller can call now: those of its groups' enabled channels, less what its token forbids. */
export async function callableModels(
  services: Pick<RoutingServices, "channels">,
  caller: Caller,
): Promise<CallableModel[]> {
  const snapshot = await services.channels.snapshot();
  const models = new Map<string, CallableModel>();
  for (const group of caller.groups) {
    for (const id of snapshot.modelsOf(group)) {
      if (models.has(id) || caller.models?.has(id) === false) continue;
      const [channel] = snapshot.serving(group, id);
      const owner = channel === undefined ? undefined : channelTypeInfo(channel.type);
      models.set(id, { id, createdSeconds: MODEL_CREATED, owner: owner?.label ?? "custom" });
    }
  }
  return [...models.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}
