import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { Caller } from "../callers/index.ts";
import type { CallableModel } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import { modelsOf } from "../../features/model-aliases/index.ts";
import type { RoutingServices } from "./routing-services.ts";

/** Paths of the list of models, in each version of the dialects; with a name behind them, of one model. */
export const MODELS_PATHS = ["/v1/models", "/v1beta/models", "/v1alpha/models"] as const;

const MODEL_CREATED = 1_626_777_600;

/** Returns a model that the caller may call. Throws a 404 RelayError for others. */
export async function retrieveModel(
  services: Pick<RoutingServices, "channels" | "aliases">,
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

/** Returns the models of the caller's groups that its token may call, and the aliases of at least one of them. */
export async function callableModels(
  services: Pick<RoutingServices, "channels" | "aliases">,
  caller: Caller,
): Promise<CallableModel[]> {
  const snapshot = await services.channels.snapshot();
  const models = new Map<string, CallableModel>();
  const isServed = (model: string) => caller.groups.some((group) => snapshot.serving(group, model).length > 0);
  for (const id of services.aliases.names()) {
    const isAllowed = caller.models?.has(id) !== false;
    const behind = modelsOf(services.aliases.find(id) ?? []).filter((model) => isAllowed || caller.models?.has(model));
    if (behind.some(isServed)) models.set(id, { id, createdSeconds: MODEL_CREATED, owner: "custom" });
  }
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
