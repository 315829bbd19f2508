import { RelayError } from "../errors/index.ts";
import type { Caller } from "./caller-source.ts";

/** Throws a 403 RelayError. */
export function checkModel({ models }: Pick<Caller, "models">, model: string): void {
  if (models === undefined || models.has(model)) return;
  throw new RelayError({
    status: 403,
    type: "invalid_request_error",
    code: "model_not_allowed",
    param: "model",
    message: `This API key may not call the model ${model}.`,
  });
}
