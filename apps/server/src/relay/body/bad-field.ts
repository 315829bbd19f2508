import { RelayError } from "../errors/index.ts";

/** A field that is wrong: a 400 that says how to put it right. */
export function badField(field: string, message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
}
