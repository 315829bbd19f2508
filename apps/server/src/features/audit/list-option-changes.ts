import type { listOptionChanges as listOptionChangesCall } from "@one-api/contract/audit";
import { OPTION_KEYS } from "@one-api/contract/option";
import type { z } from "zod";
import { actorIsRoot } from "../../core/actor.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { listNewestOf } from "./audit.repository.ts";

const OBJECT = "option:";

/** Time of each option's last change. Its actor is named under the same rule as in the trail. */
export async function listOptionChanges(
  context: CallContext,
): Promise<z.output<(typeof listOptionChangesCall)["data"]>> {
  const reader = requireActor(context);
  const objects = OPTION_KEYS.map((key) => `${OBJECT}${key}`);
  const rows = await listNewestOf(context.database.db, objects);
  return rows.map(({ object, created_at, actor_id, actor_name, actor_role }) => {
    const maySee = actorIsRoot(reader) || actor_id === reader.id || actor_role < reader.role;
    return { key: object.slice(OBJECT.length), changed_at: created_at, actor_name: maySee ? actor_name : "" };
  });
}
