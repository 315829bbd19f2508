import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { BOUND_ID_COLUMNS, type BoundIdColumn } from "../account.repository.ts";
import { mailboxOf } from "./mailbox.ts";

export type Identities = Partial<Readonly<Record<"email" | BoundIdColumn, string>>>;

type IdentityDeps = Pick<CallContext, "secrets" | "clock">;

/**
 * Stores HMACs of a person's identities permanently. Returns false if one is known: no bonus for new users.
 * Of concurrent transactions with one identity the second gets false.
 */
export async function rememberIdentities(
  transaction: Queryable,
  { secrets, clock }: IdentityDeps,
  identities: Identities,
): Promise<boolean> {
  const hmacs = textsOf(identities).map((text) => secrets.sign("identity", text));
  if (hmacs.length === 0) return true;
  const known_since = nowSeconds(clock);
  const added = await transaction
    .insertInto("known_identities")
    // Sorted, so that concurrent transactions cannot deadlock.
    .values(hmacs.toSorted().map((identity_hmac) => ({ identity_hmac, known_since })))
    .onConflict((conflict) => conflict.column("identity_hmac").doNothing())
    .returning("identity_hmac")
    .execute();
  return added.length === hmacs.length;
}

function textsOf({ email = "", ...bound }: Identities): string[] {
  const ids = BOUND_ID_COLUMNS.map((column) => ({ column, id: bound[column] ?? "" })).filter(({ id }) => id !== "");
  return [...(email === "" ? [] : [`email ${mailboxOf(email)}`]), ...ids.map(({ column, id }) => `${column} ${id}`)];
}

const USERS_AT_ONCE = 500;

/** Stores the identities of all accounts if none is stored yet, for databases of older versions and imports. */
export async function rememberAllIdentities({
  database,
  ...deps
}: Pick<CallContext, "database" | "secrets" | "clock">): Promise<void> {
  const first = await database.db.selectFrom("known_identities").select("identity_hmac").limit(1).executeTakeFirst();
  if (first !== undefined) return;
  await inTransaction(database, async (transaction) => {
    for (let last = 0; ;) {
      const users = await transaction
        .selectFrom("users")
        .select(["id", "email", ...BOUND_ID_COLUMNS])
        .where("id", ">", last)
        .orderBy("id")
        .limit(USERS_AT_ONCE)
        .execute();
      for (const user of users) await rememberIdentities(transaction, deps, user);
      const end = users.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  });
}
