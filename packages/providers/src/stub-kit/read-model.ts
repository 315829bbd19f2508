import type { Call } from "./call.ts";
import { openAiErrorBody, RequestRefused } from "./refusal.ts";

/** The model that a request names. Throws RequestRefused when it names none, or an unknown one that is not served. */
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

/** OpenAI's error body for a model that does not exist. */
function unknownModelBody(model: string): ReturnType<typeof openAiErrorBody> {
  return openAiErrorBody(`The model \`${model}\` does not exist or you do not have access to it.`, {
    param: "model",
    code: "model_not_found",
  });
}
