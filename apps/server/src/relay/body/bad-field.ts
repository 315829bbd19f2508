import { RelayError } from "../errors/index.ts";

/** Returns a 400 error. The message says how to correct the field. */
export function badField(field: string, message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
}
