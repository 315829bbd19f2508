import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { BOUND_ID_COLUMNS, type BoundIdColumn } from "../account.repository.ts";
import { mailboxOf } from "./mailbox.ts";

/** By what a person can be recognised: an address and accounts at providers; empty or missing for none. */
export type Identities = Partial<Readonly<Record<"email" | BoundIdColumn, string>>>;

type Parts = Pick<CallContext, "secrets" | "clock">;

/**
 * Remembers the person's identities for good, as HMACs, in the transaction that adds or removes them. Returns false when one of them was
 * known: the person had an account, and receives no quota of new users. Of two transactions with one identity the second one receives false.
 */
export async function rememberIdentities(
  transaction: Queryable,
  { secrets, clock }: Parts,
  identities: Identities,
): Promise<boolean> {
  const hmacs = textsOf(identities).map((text) => secrets.sign("identity", text));
  if (hmacs.length === 0) return true;
  const known_since = nowSeconds(clock);
  const added = await transaction
    .insertInto("known_identities")
    // In one order everywhere: two transactions that wait for each other's rows would end in a deadlock.
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

/** Remembers the identities of all accounts where none is known yet: those of older versions, and of an import. */
export async function rememberAllIdentities({
  database,
  ...parts
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
      for (const user of users) await rememberIdentities(transaction, parts, user);
      const end = users.at(-1);
      if (end === undefined) return;
      last = end.id;
    }
  });
}
