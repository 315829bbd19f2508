import { randomInt } from "node:crypto";
import { EMAIL_CODE_SECONDS } from "@one-api/contract/accounts/registration";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { networkOfAddress } from "../../platform/network/network-of-address.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";

/** All mails that an address may get at a time together have ten tries each: six digits would be guessed within days. */
const CODE_DIGITS = 8;
const RESET_TOKEN_LENGTH = 40;
/** Wrong ones that void digits, for who asked for them or for everybody else. */
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

/**
 * Makes a code for the address: eight digits, or for a link a long text. Only its hash is kept. Digits replace those that the same network
 * asked for before; links stay valid beside each other. What somebody else asks for touches neither.
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
 * Says whether the code is right. It stays usable until `consumeEmailCode`, so that what fails for another reason can be tried again. Of
 * digits the network that asked for them has five tries, and all others have five together: guessing voids nobody's code but one's own. The
 * try counts at once and for good, whatever the caller's transaction does. A link's text is too long to be guessed.
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

/** Takes the code away, and all others of the address for the same; returns false when somebody has used it meanwhile. In the transaction of what it was for. */
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

/** Ends the links in mails that would set a new password of the user, in the transaction of what ends its sessions. */
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
