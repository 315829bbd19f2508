import { randomInt } from "node:crypto";
import { EMAIL_CODE_SECONDS } from "@one-api/contract/registration";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { randomText } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";

const CODE_DIGITS = 6;
const RESET_TOKEN_LENGTH = 40;
/** Wrong ones that void a code. */
const TRIES = 5;

/** What a code proves the address for; a code for one is worth nothing for the other. */
export type CodePurpose = "address" | "password-reset";

/** Somebody who says that an address is theirs. */
export interface CodeClaim {
  readonly purpose: CodePurpose;
  /** Lower case. */
  readonly email: string;
  readonly code: string;
}

/** Makes a code for the address, in place of the one before it: six digits, or for a link a long text. Only its hash is kept. */
export async function createEmailCode(context: CallContext, purpose: CodePurpose, email: string): Promise<string> {
  const code =
    purpose === "address"
      ? String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0")
      : randomText(RESET_TOKEN_LENGTH);
  const now = nowSeconds(context.clock);
  const fresh = {
    code_hash: hashOf(context, { purpose, email, code }),
    tries_left: TRIES,
    expires_at: now + EMAIL_CODE_SECONDS,
  };
  const { db } = context.database;
  await db.deleteFrom("email_codes").where("expires_at", "<=", now).execute();
  await db
    .insertInto("email_codes")
    .values({ purpose, email, ...fresh })
    .onConflict((conflict) => conflict.columns(["purpose", "email"]).doUpdateSet(fresh))
    .execute();
  return code;
}

/**
 * Says whether the code is right, and takes one of its five tries. It stays usable until `consumeEmailCode`, so that what fails for
 * another reason can be tried again. The try counts at once and for good, whatever the caller's transaction does.
 */
export async function tryEmailCode(context: CallContext, claim: CodeClaim): Promise<boolean> {
  const row = await context.database.db
    .updateTable("email_codes")
    .set((code) => ({ tries_left: code("tries_left", "-", 1) }))
    .where("purpose", "=", claim.purpose)
    .where("email", "=", claim.email)
    .where("tries_left", ">", 0)
    .where("expires_at", ">", nowSeconds(context.clock))
    .returning("code_hash")
    .executeTakeFirst();
  return row?.code_hash === hashOf(context, claim);
}

/** Takes the code away; returns false when somebody else has used it meanwhile. In the transaction of what it was for. */
export async function consumeEmailCode(
  transaction: Queryable,
  context: CallContext,
  claim: CodeClaim,
): Promise<boolean> {
  const result = await transaction
    .deleteFrom("email_codes")
    .where("purpose", "=", claim.purpose)
    .where("email", "=", claim.email)
    .where("code_hash", "=", hashOf(context, claim))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function hashOf({ secrets }: CallContext, { purpose, email, code }: CodeClaim): string {
  return secrets.lookup(JSON.stringify([purpose, email, code]));
}
