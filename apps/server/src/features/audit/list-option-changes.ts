import type { listOptionChanges as listOptionChangesCall } from "@one-api/contract/audit";
import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import type { z } from "zod";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { mayNameActor } from "./audit.present.ts";
import { listNewestOf } from "./audit.repository.ts";

const OBJECT = "option:";

/** Time of each option's last change. Its actor is named under the same rule as in the trail. */
export async function listOptionChanges(
  context: CallContext,
): Promise<z.output<(typeof listOptionChangesCall)["data"]>> {
  const reader = requireActor(context);
  const objects = OPTION_KEYS.map((key) => `${OBJECT}${key}`);
  const rows = await listNewestOf(context.database.db, objects);
  return rows.map((row) => ({
    key: row.object.slice(OBJECT.length),
    changed_at: row.created_at,
    actor_name: mayNameActor(row, reader) ? row.actor_name : "",
  }));
}
