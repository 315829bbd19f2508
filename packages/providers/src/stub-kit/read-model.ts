import type { Call } from "./call.ts";
import { openAiErrorBody, RequestRefused } from "./refusal.ts";

/** Returns the requested model. Throws RequestRefused without one, or for an unknown one that is not served. */
export function readModel(call: Call): string {
  const model = call.body["model"];
  if (typeof model !== "string" || model === "") {
    throw new RequestRefused(400, openAiErrorBody("you must provide a model parameter"));
  }
  if (call.settings.refuseUnknownModels && !call.settings.models.includes(model)) {
    throw new RequestRefused(404, unknownModelBody(model));
  }
  return model;
}

function unknownModelBody(model: string): ReturnType<typeof openAiErrorBody> {
  return openAiErrorBody(`The model \`${model}\` does not exist or you do not have access to it.`, {
    param: "model",
    code: "model_not_found",
  });
}
