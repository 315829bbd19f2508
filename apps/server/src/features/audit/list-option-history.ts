import {
  type listOptionHistory as listOptionHistoryCall,
  MAX_OPTION_HISTORY,
  type readOptionBefore as readOptionBeforeCall,
} from "@one-api/contract/audit";
import { isOptionKey, OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { presentOptionChange, presentSecretChange, valueBefore } from "./audit.present.ts";
import { findRowOf, listRowsOf } from "./audit.repository.ts";

/** The last changes of an option, newest first; none of an unknown one. */
export async function listOptionHistory(
  context: CallContext,
  key: string,
): Promise<z.output<(typeof listOptionHistoryCall)["data"]>> {
  const reader = requireActor(context);
  const rows = await listRowsOf(context.database.db, `option:${key}`, MAX_OPTION_HISTORY);
  return rows.map((row) => (isReadable(key) ? presentOptionChange(row, reader) : presentSecretChange(row, reader)));
}

/** The value of an option before one of its changes. Throws `not-found` for a secret, and for a value that is not stored. */
export async function readOptionBefore(
  context: CallContext,
  { key, id }: z.output<(typeof readOptionBeforeCall)["params"]>,
): Promise<z.output<(typeof readOptionBeforeCall)["data"]>> {
  const row = isReadable(key) ? await findRowOf(context.database.db, `option:${key}`, id) : undefined;
  const value = row === undefined ? undefined : valueBefore(row);
  if (value === undefined)
    throw new AppError("not-found", `The audit trail has no value of ${key} before this change.`);
  return { value };
}

function isReadable(key: string): boolean {
  return isOptionKey(key) && OPTION_DEFINITIONS[key].kind !== "secret";
}
