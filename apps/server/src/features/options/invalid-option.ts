import { AppError } from "../../core/app-error.ts";

/** The refusal of an option's value; the message names the option and what it must be. */
export function invalidOption(message: string): AppError {
  return new AppError("invalid-input", message, { field: "value" });
}
