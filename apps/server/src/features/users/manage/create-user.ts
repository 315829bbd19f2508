import type { createUserInputSchema, ManagedUser } from "@one-api/contract/accounts/user-management";
import type { z } from "zod";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction, joinTransaction } from "../../../core/transaction.ts";
import { addNewUser } from "../add-new-user.ts";
import { checkNames, storingUsername } from "../check-names.ts";
import type { PasswordHasher } from "../password-hasher.ts";
import { getUser } from "./list-users.ts";

interface CreateDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly hasher: PasswordHasher;
}

/** Creates a regular user with the quota for new users. Throws `user-username-taken` and the refusals of names. */
export async function createUser(
  context: CallContext,
  input: z.output<typeof createUserInputSchema>,
  deps: CreateDeps,
): Promise<ManagedUser> {
  const { username, password } = input;
  const names = { username, display_name: input.display_name || username };
  checkNames(names);
  // Hashed before the transaction, which must stay short.
  const account = { ...names, password_hash: await deps.hasher.hash(password), created_at: nowSeconds(context.clock) };
  const create = () =>
    inTransaction(context.database, async (transaction) => {
      const id = await addNewUser(transaction, context, account, deps);
      await recordAudit(transaction, context, { action: "user.create", object: `user:${id}`, detail: names });
      const written = { ...context, database: joinTransaction(context.database, transaction) };
      const user = await getUser(written, deps.options, id);
      await context.rememberAnswer?.(transaction, user);
      return user;
    });
  return storingUsername(create);
}
