import { randomBytes } from "node:crypto";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { fingerprint } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";

const STEP_SECONDS = 600;
const ID_BYTES = 32;
/** Wrong answers that end a step: the login has to be begun again. */
const TRIES = 5;

/**
 * What was begun: the second step of a login whose first one was right, a login with whatever passkey the person has, a new passkey, or
 * the proof before a change of factors. A step of one kind is worth nothing as another.
 */
type StepPurpose = "second-step" | "passkey-login" | "new-passkey" | "proof";

/** Purpose of the row that records the proof of a session's user. It is no step: no answer can be tried against it. */
const PROVEN = "proven-session";

interface NewStep {
  readonly purpose: StepPurpose;
  /** 0 while nobody knows whose. */
  readonly userId: number;
  readonly challenge?: string;
}

/** A step that was begun in this browser and is not over. */
interface EntryStep {
  readonly userId: number;
  /** Empty while no passkey is asked. */
  readonly challenge: string;
}

/** Begins a step in this browser, under a new id, in place of the one before it. It lasts ten minutes. */
export async function beginStep(
  { database: { db }, clock }: CallContext,
  cookie: SessionCookie,
  { purpose, userId, challenge = "" }: NewStep,
): Promise<void> {
  const now = nowSeconds(clock);
  const id = randomBytes(ID_BYTES).toString("base64url");
  await db.deleteFrom("login_steps").where("expires_at", "<=", now).execute();
  if (cookie.value !== undefined) await endStep(db, cookie);
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

/** Has a passkey asked within the second step that was begun; returns whose, undefined when there is no such step. */
export async function askWithinStep(
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

/** The step that this browser has begun for one of these purposes; it takes one of the tries, at once and for good. Undefined when it is over. */
export async function tryStep(
  { database: { db }, clock }: CallContext,
  cookie: SessionCookie,
  purposes: readonly StepPurpose[],
): Promise<EntryStep | undefined> {
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

/** Ends the step, in the transaction of what it was for; returns false when somebody has ended it meanwhile. */
export async function endStep(queryable: Queryable, cookie: SessionCookie): Promise<boolean> {
  const result = await queryable
    .deleteFrom("login_steps")
    .where("id_hash", "=", fingerprint(cookie.value ?? ""))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all that was begun for the user: a login that waits for its second step goes with the sessions. */
export async function endStepsOfUser(queryable: Queryable, userId: number): Promise<void> {
  await queryable.deleteFrom("login_steps").where("user_id", "=", userId).execute();
}

/** Text of a proven session's row: no cookie has it as its value. */
const provenSession = (sessionId: string) => fingerprint(`${PROVEN} ${sessionId}`);

interface ProvenSession {
  readonly sessionId: string;
  readonly userId: number;
}

/** Notes that the user of the session was proven, for so many seconds from now. */
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

/** Returns true while the proof of the session's user counts. */
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
