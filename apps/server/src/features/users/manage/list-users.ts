import type * as calls from "@one-api/contract/accounts/user-management";
import type { z } from "zod";
import type { OptionStore } from "../../../core/option-store.ts";
import type { Actor } from "../../../core/actor.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { type Listed, orderedPageOf } from "../../../core/lists/list-page.ts";
import { listTokensForOthers } from "../../tokens/index.ts";
import { presentUser } from "../user.present.ts";
import { checkMayEdit, mayEdit, userNotFound } from "./managed-user.policy.ts";
import { countUsers, findManagedUser, listUserRows, type ManagedUserRow } from "./managed-user.repository.ts";

/** One page of the users that match the keyword; all of them without `size`. */
export async function searchUsers(
  context: CallContext,
  options: OptionStore,
  query: z.output<typeof calls.searchUsers.query>,
): Promise<Listed<calls.ManagedUser>> {
  const { db } = context.database;
  const rows = await listUserRows(db, query, orderedPageOf(query));
  const now = nowSeconds(context.clock);
  return {
    rows: rows.map((row) => presentManagedUser(row, requireActor(context), { options, now })),
    total: await countUsers(db, query),
  };
}

/** Throws `user-not-found`, and `user-not-below-you` for a user whom the caller may not edit. */
export async function getUser(context: CallContext, options: OptionStore, id: number): Promise<calls.ManagedUser> {
  const user = await findManagedUser(context.database.db, id);
  if (user === undefined) throw userNotFound();
  const actor = requireActor(context);
  checkMayEdit(actor, user);
  return presentManagedUser(user, actor, { options, now: nowSeconds(context.clock) });
}

/** One page of a user's tokens without keys. Throws `user-not-found` and `user-not-below-you`. */
export async function listTokensOfUser(
  context: CallContext,
  options: OptionStore,
  { id }: { readonly id: number },
  query: z.output<typeof calls.listTokensOfUser.query>,
): Promise<Listed<calls.ForeignToken>> {
  await getUser(context, options, id);
  const page = orderedPageOf({ ...query, order: "default" });
  return listTokensForOthers(context.database.db, id, nowSeconds(context.clock), page);
}

function presentManagedUser(
  row: ManagedUserRow,
  actor: Actor,
  at: Parameters<typeof presentUser>[1],
): calls.ManagedUser {
  return {
    ...presentUser(row, at),
    created_at: row.created_at,
    token_count: row.token_count,
    has_second_factor: row.factor_count > 0,
    last_active_at: mayEdit(actor, row)
      ? Math.max(row.access_token_used_at, row.last_request_at ?? 0, row.last_visit_at ?? 0)
      : 0,
  };
}
