import { RelayError } from "../errors/index.ts";

export function badField(field: string, message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
}
