import type { Call } from "./call.ts";
import { refuse } from "./refusal.ts";

/** Returns the requested model. Throws RequestRefused without one, or for an unknown one that is not served. */
export function readModel({ body: { model }, settings }: Call): string {
  if (typeof model !== "string" || model === "") refuse("you must provide a model parameter");
  if (settings.refuseUnknownModels && !settings.models.includes(model)) {
    const details = { status: 404, param: "model", code: "model_not_found" };
    refuse(`The model \`${model}\` does not exist or you do not have access to it.`, details);
  }
  return model;
}
