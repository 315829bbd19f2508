import type * as calls from "@one-api/contract/user-management";
import type { z } from "zod";
import type { OptionStore } from "../../../core/option-store.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../core/clock.ts";
import { listTokensForOthers } from "../../tokens/index.ts";
import { presentUser } from "../user.present.ts";
import { checkMayEdit, userNotFound } from "./managed-user.policy.ts";
import { countUsers, findManagedUser, listUserRows, type ManagedUserRow } from "./managed-user.repository.ts";

/** Rows of a list, and how many there are in all. */
export interface Listed<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** Search results end here for clients that ask for no page: more would be a list to page through. */
const MAX_SEARCH_RESULTS = 1_000;

/** One page of the users that the keyword finds, of all with an empty one; without `size` all of them. */
export async function searchUsers(
  context: CallContext,
  options: OptionStore,
  query: z.output<typeof calls.searchUsers.query>,
): Promise<Listed<calls.ManagedUser>> {
  const { db } = context.database;
  const { order, direction, size, p: page, ...filter } = query;
  const stretch = size === undefined ? { limit: MAX_SEARCH_RESULTS, offset: 0 } : { limit: size, offset: page * size };
  const rows = await listUserRows(db, filter, { order, direction, ...stretch });
  const now = nowSeconds(context.clock);
  return {
    rows: rows.map((row) => presentManagedUser(row, { options, now })),
    total: await countUsers(db, filter),
  };
}

/** One user. Throws `user-not-found`, and `user-not-below-you` for one whom the caller may not edit. */
export async function getUser(context: CallContext, options: OptionStore, id: number): Promise<calls.ManagedUser> {
  const user = await findManagedUser(context.database.db, id);
  if (user === undefined) throw userNotFound();
  checkMayEdit(requireActor(context), user);
  return presentManagedUser(user, { options, now: nowSeconds(context.clock) });
}

/** One page of a user's tokens, without their keys. Throws `user-not-found` and `user-not-below-you`. */
export async function listTokensOfUser(
  context: CallContext,
  options: OptionStore,
  { id }: { readonly id: number },
  { p: page, size, direction }: z.output<typeof calls.listTokensOfUser.query>,
): Promise<Listed<calls.ForeignToken>> {
  await getUser(context, options, id);
  const stretch = { order: "default" as const, direction, limit: size, offset: page * size };
  const { tokens, total } = await listTokensForOthers(context.database.db, id, nowSeconds(context.clock), stretch);
  return { rows: tokens, total };
}

/** The user as administrators see it. `now` is Unix time in seconds. */
export function presentManagedUser(row: ManagedUserRow, at: Parameters<typeof presentUser>[1]): calls.ManagedUser {
  return {
    ...presentUser(row, at),
    created_at: row.created_at,
    token_count: row.token_count,
    has_second_factor: row.factor_count > 0,
  };
}
