import { openAiErrorBody, RequestRefused } from "./openai-error.ts";
import type { Call, Reply } from "./reply.ts";

const createdAtSeconds = 1_715_367_049;

/** GET /v1/models. */
export function listModels({ settings }: Call): Reply {
  return { kind: "json", body: { object: "list", data: settings.models.map(model) }, tokens: 0 };
}

/** GET /v1/models/{id}. */
export function retrieveModel({ path, settings }: Call): Reply {
  const id = decoded(path.slice("/v1/models/".length));
  if (!settings.models.includes(id)) {
    const details = { param: "model", code: "model_not_found" };
    throw new RequestRefused(404, openAiErrorBody(`The model '${id}' does not exist`, details));
  }
  return { kind: "json", body: model(id), tokens: 0 };
}

function model(id: string): object {
  return { id, object: "model", created: createdAtSeconds, owned_by: "openai" };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
