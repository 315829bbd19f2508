import { UntranslatableError } from "@one-api/providers/neutral/chat-request";
import { RelayError } from "../errors/index.ts";

/** Throws a 400 RelayError for what cannot be said in the provider's format. */
export function orRefuse<Written>(write: () => Written): Written {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error;
    const { message, field } = error;
    throw new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_value", param: field, message });
  }
}

/** Names are the caller's own: so many are told, and no longer ones. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

/** What the caller is told of fields that were left out. */
export function nameDropped(names: readonly string[]): readonly string[] {
  const told = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed());
  return names.length > MAX_NAMES ? [...told, `and ${names.length - MAX_NAMES} more`] : told;
}
