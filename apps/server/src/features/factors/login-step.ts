import { randomBytes } from "node:crypto";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";

const STEP_SECONDS = 600;
const ID_BYTES = 32;
/** Wrong answers after which the login must be begun again. */
const TRIES = 5;

/**
 * `second-step`: a login whose password was right. `passkey-login`: a login with any passkey. `proof`: before
 * a change of factors.
 * A step of one purpose is not accepted for another.
 */
type StepPurpose = "second-step" | "passkey-login" | "new-passkey" | "proof";

/** Purpose of the row that records a session's proof. It accepts no answer. */
const PROVEN = "proven-session";

interface NewLoginStep {
  readonly purpose: StepPurpose;
  /** 0 while unknown. */
  readonly userId: number;
  readonly challenge?: string;
}

interface LoginStep {
  readonly userId: number;
  /** Empty without a passkey request. */
  readonly challenge: string;
}

/** Begins a step with a new id and replaces the browser's previous one. It expires after ten minutes. */
export async function beginLoginStep(
  { database: { db }, clock }: CallContext,
  cookie: SessionCookie,
  { purpose, userId, challenge = "" }: NewLoginStep,
): Promise<void> {
  const now = nowSeconds(clock);
  const id = randomBytes(ID_BYTES).toString("base64url");
  await db.deleteFrom("login_steps").where("expires_at", "<=", now).execute();
  if (cookie.value !== undefined) await endLoginStep(db, cookie);
  await db
    .insertInto("login_steps")
    .values({
      id_hash: fingerprint(id),
      purpose,
      user_id: userId,
      challenge,
      tries_left: TRIES,
      expires_at: now + STEP_SECONDS,
    })
    .execute();
  cookie.set(id, STEP_SECONDS);
}

/** Sets the passkey challenge of the second step. Returns the user's id; undefined without such a step. */
export async function renewChallenge(
  { database: { db }, clock }: CallContext,
  cookie: SessionCookie,
  challenge: string,
): Promise<number | undefined> {
  const row = await db
    .updateTable("login_steps")
    .set({ challenge })
    .where("id_hash", "=", fingerprint(cookie.value ?? ""))
    .where("purpose", "=", "second-step")
    .where("expires_at", ">", nowSeconds(clock))
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
}

/** The browser's step with one of the purposes; uses up one try. Undefined if the step is over. */
export async function tryLoginStep(
  { database: { db }, clock }: CallContext,
  cookie: SessionCookie,
  purposes: readonly StepPurpose[],
): Promise<LoginStep | undefined> {
  const row = await db
    .updateTable("login_steps")
    .set((step) => ({ tries_left: step("tries_left", "-", 1) }))
    .where("id_hash", "=", fingerprint(cookie.value ?? ""))
    .where("purpose", "in", purposes)
    .where("tries_left", ">", 0)
    .where("expires_at", ">", nowSeconds(clock))
    .returning(["user_id", "challenge"])
    .executeTakeFirst();
  return row === undefined ? undefined : { userId: row.user_id, challenge: row.challenge };
}

/** Ends the step in the transaction of its effect. Returns false if another request has ended it. */
export async function endLoginStep(queryable: Queryable, cookie: SessionCookie): Promise<boolean> {
  const result = await queryable
    .deleteFrom("login_steps")
    .where("id_hash", "=", fingerprint(cookie.value ?? ""))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all steps of the user, as a login that waits for its second step ends with the sessions. */
export async function endLoginStepsOfUser(queryable: Queryable, userId: number): Promise<void> {
  await queryable.deleteFrom("login_steps").where("user_id", "=", userId).execute();
}

const provenSession = (sessionId: string) => fingerprint(`${PROVEN} ${sessionId}`);

interface ProvenSession {
  readonly sessionId: string;
  readonly userId: number;
}

/** Records a session's proof, valid for `seconds`. */
export async function storeProvenSession(
  queryable: Queryable,
  { clock }: Pick<CallContext, "clock">,
  { sessionId, userId, seconds }: ProvenSession & { readonly seconds: number },
): Promise<void> {
  const expires_at = nowSeconds(clock) + seconds;
  await queryable
    .insertInto("login_steps")
    .values({
      id_hash: provenSession(sessionId),
      purpose: PROVEN,
      user_id: userId,
      challenge: "",
      tries_left: 0,
      expires_at,
    })
    .onConflict((conflict) => conflict.column("id_hash").doUpdateSet({ expires_at }))
    .execute();
}

export async function hasProvenSession(
  { database: { db }, clock }: Pick<CallContext, "database" | "clock">,
  { sessionId, userId }: ProvenSession,
): Promise<boolean> {
  const row = await db
    .selectFrom("login_steps")
    .select("user_id")
    .where("id_hash", "=", provenSession(sessionId))
    .where("purpose", "=", PROVEN)
    .where("user_id", "=", userId)
    .where("expires_at", ">", nowSeconds(clock))
    .executeTakeFirst();
  return row !== undefined;
}
