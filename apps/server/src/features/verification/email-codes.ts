import { randomInt } from "node:crypto";
import { EMAIL_CODE_SECONDS } from "@one-api/contract/accounts/registration";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";

/** All valid codes of an address together allow ten tries each: six digits would be guessed within days. */
const CODE_DIGITS = 8;
const RESET_TOKEN_LENGTH = 40;
/** Wrong tries that invalidate a code, counted separately for the requesting network and for all others. */
const TRIES = 5;

/** A code of one purpose is not accepted for the other. */
export type CodePurpose = "address" | "password-reset";

export interface CodeClaim {
  readonly purpose: CodePurpose;
  readonly email: string;
  readonly code: string;
}

/**
 * Creates a code of eight digits, or a long text for a link. A new code replaces the same network's previous
 * one; links stay valid.
 */
export async function createEmailCode(context: CallContext, purpose: CodePurpose, email: string): Promise<string> {
  const now = nowSeconds(context.clock);
  const requester = networkOfAddress(context.address);
  const isDigits = purpose === "address";
  const code = isDigits
    ? String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, "0")
    : randomText(RESET_TOKEN_LENGTH);
  const row = {
    purpose,
    email,
    requester,
    code_hash: hashOf(context, { purpose, email, code }),
    tries_left: TRIES,
    others_tries_left: TRIES,
    expires_at: now + EMAIL_CODE_SECONDS,
  };
  await inTransaction(context.database, async (transaction) => {
    await transaction.deleteFrom("email_codes").where("expires_at", "<=", now).execute();
    if (isDigits) {
      await transaction
        .deleteFrom("email_codes")
        .where("purpose", "=", purpose)
        .where("email", "=", email)
        .where("requester", "=", requester)
        .execute();
    }
    await transaction.insertInto("email_codes").values(row).execute();
  });
  return code;
}

/**
 * True if the code is right; it stays valid until `consumeEmailCode`. The requesting network has five tries,
 * all others share five.
 * The try is counted outside the caller's transaction.
 */
export async function tryEmailCode(context: CallContext, claim: CodeClaim): Promise<boolean> {
  const hash = hashOf(context, claim);
  if (claim.purpose === "password-reset") {
    const row = await liveCodes(context, claim).where("code_hash", "=", hash).executeTakeFirst();
    return row !== undefined;
  }
  const requester = networkOfAddress(context.address);
  const isOwn = (await liveCodes(context, claim).where("requester", "=", requester).executeTakeFirst()) !== undefined;
  const tries = isOwn ? "tries_left" : "others_tries_left";
  const tried = await context.database.db
    .updateTable("email_codes")
    .set((code) => ({ [tries]: code(tries, "-", 1) }))
    .where("purpose", "=", claim.purpose)
    .where("email", "=", claim.email)
    .where("requester", isOwn ? "=" : "!=", requester)
    .where(tries, ">", 0)
    .where("expires_at", ">", nowSeconds(context.clock))
    .returning("code_hash")
    .execute();
  return tried.some((code) => code.code_hash === hash);
}

function liveCodes({ database, clock }: CallContext, { purpose, email }: CodeClaim) {
  return database.db
    .selectFrom("email_codes")
    .select("code_hash")
    .where("purpose", "=", purpose)
    .where("email", "=", email)
    .where("expires_at", ">", nowSeconds(clock));
}

/**
 * Deletes the address's codes of the purpose in the caller's transaction. Returns false if another request
 * has used the code.
 */
export async function consumeEmailCode(
  transaction: Queryable,
  context: CallContext,
  claim: CodeClaim,
): Promise<boolean> {
  const taken = await transaction
    .deleteFrom("email_codes")
    .where("purpose", "=", claim.purpose)
    .where("email", "=", claim.email)
    .where("code_hash", "=", hashOf(context, claim))
    .executeTakeFirst();
  if (taken.numDeletedRows === 0n) return false;
  await transaction
    .deleteFrom("email_codes")
    .where("purpose", "=", claim.purpose)
    .where("email", "=", claim.email)
    .execute();
  return true;
}

/** Invalidates the user's password reset links in the transaction that ends its sessions. */
export async function endResetLinks(transaction: Queryable, userId: number): Promise<void> {
  await transaction
    .deleteFrom("email_codes")
    .where("purpose", "=", "password-reset")
    .where("email", "in", (own) => own.selectFrom("users").select("email").where("id", "=", userId))
    .execute();
}

function hashOf({ secrets }: CallContext, { purpose, email, code }: CodeClaim): string {
  return secrets.lookup(JSON.stringify([purpose, email, code]));
}
