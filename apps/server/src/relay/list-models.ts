import { channelTypeInfo } from "@one-api/contract/channel-types";
import type { Caller } from "./callers/caller-source.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";

/** GET /v1/models: https://platform.openai.com/docs/api-reference/models */
export const MODELS_PATH = "/v1/models";

/** A moment in 2021 that One API servers name as the creation of every model. */
const MODEL_CREATED = 1_626_777_600;

interface ListedModel {
  readonly id: string;
  readonly object: "model";
  readonly created: number;
  readonly owned_by: string;
}

/** The models that the caller can call now: those of its groups' enabled channels, less what its token forbids. */
export async function listCallableModels(
  deps: RelayDependencies,
  caller: Caller,
): Promise<{ object: "list"; data: ListedModel[] }> {
  return { object: "list", data: await callableModels(deps, caller) };
}

/** One model that the caller can call. Throws a 404 RelayError for others. */
export async function retrieveModel(deps: RelayDependencies, caller: Caller, id: string): Promise<ListedModel> {
  const model = (await callableModels(deps, caller)).find((listed) => listed.id === id);
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

async function callableModels(deps: RelayDependencies, caller: Caller): Promise<ListedModel[]> {
  const snapshot = await deps.channels.snapshot();
  const models = new Map<string, ListedModel>();
  for (const group of caller.groups) {
    for (const id of snapshot.modelsOf(group)) {
      if (models.has(id) || caller.models?.has(id) === false) continue;
      const [channel] = snapshot.serving(group, id);
      const owner = channel === undefined ? undefined : channelTypeInfo(channel.type);
      models.set(id, { id, object: "model", created: MODEL_CREATED, owned_by: owner?.label ?? "custom" });
    }
  }
  return [...models.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
}
