import { UntranslatableError } from "@one-api/providers/neutral/chat-request";
import { RelayError } from "../errors/index.ts";

/** Throws a 400 RelayError. */
export function orRefuse<Written>(write: () => Written): Written {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error;
    const { message, field } = error;
    throw new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
  }
}

/** Names come from the caller, so their number and length are limited. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

export function nameDropped(names: readonly string[]): readonly string[] {
  const named = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed());
  return names.length > MAX_NAMES ? [...named, `and ${names.length - MAX_NAMES} more`] : named;
}
