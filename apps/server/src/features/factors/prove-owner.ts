import type { proofSchema } from "@one-api/contract/accounts/factor";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { findAccount, type PasswordHasher } from "../users/index.ts";
import { countRequest, forgetRequests } from "../verification/index.ts";
import { endStep, tryStep } from "./entry-step.ts";
import { relyingPartyOf, takePasskey } from "./passkey-ceremony.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { takeFactorCode } from "./verify-code.ts";

/** What the caller shows. */
export type Evidence = z.output<typeof proofSchema>;

/** What a change of factors is checked with. */
export interface ProofDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  /** The Host of the request. */
  readonly host: string;
  /** Of the question to a passkey. */
  readonly stepCookie: SessionCookie;
}

const TRIES = { most: 10, windowSeconds: 600 } as const;

/** What the user must show before factors change: the password, if there is one, and a factor, if there is any. */
export async function proofParts(context: CallContext, userId: number): Promise<("password" | "factor")[]> {
  const { db } = context.database;
  const account = await findAccount(db, userId);
  const hasFactor = (await secondFactorsOf(db, userId)).length > 0;
  return [...(account?.password_hash ? (["password"] as const) : []), ...(hasFactor ? (["factor"] as const) : [])];
}

/**
 * Makes sure that it is the owner who changes factors: a session that somebody found open is not enough. Throws `factor-password-wrong`,
 * `factor-proof-missing`, `factor-code-wrong`, `passkey-refused`, `passkey-unknown`, `login-step-over` and `too-many-requests`.
 */
export async function proveOwner(context: CallContext, evidence: Evidence, deps: ProofDeps): Promise<void> {
  const { id } = requireActor(context);
  const parts = await proofParts(context, id);
  await countingTry(context, id, async () => {
    if (parts.includes("password")) await provePassword(context, evidence, deps, id);
    if (parts.includes("factor")) await proveFactor(context, evidence, deps, id);
  });
}

/** Makes sure of the owner by one part: the password where one is typed, else a factor. Throws what `proveOwner` throws. */
export async function proveAnyPart(context: CallContext, evidence: Evidence, deps: ProofDeps): Promise<void> {
  const { id } = requireActor(context);
  const prove = evidence.password === "" ? proveFactor : provePassword;
  await countingTry(context, id, () => prove(context, evidence, deps, id));
}

/** Counts the try before it is made: many at once are all counted. A right one forgets those before. */
async function countingTry(
  { database, clock }: CallContext,
  userId: number,
  prove: () => Promise<void>,
): Promise<void> {
  const subject = `proof:${userId}`;
  await countRequest(database, [{ ...TRIES, subject }], nowSeconds(clock));
  await prove();
  await forgetRequests(database.db, [subject]);
}

async function provePassword(
  { database }: CallContext,
  { password }: Evidence,
  { hasher }: ProofDeps,
  userId: number,
): Promise<void> {
  const account = await findAccount(database.db, userId);
  if (!(await hasher.verify(password, account?.password_hash || undefined)))
    throw new AppError("factor-password-wrong", "The password is wrong.", { field: "password" });
}

async function proveFactor(context: CallContext, evidence: Evidence, deps: ProofDeps, userId: number): Promise<void> {
  const { code, passkey: answer } = evidence;
  if (answer === undefined) {
    if (code === "")
      throw new AppError("factor-proof-missing", "Type a code, or use a passkey: this account has a second factor.");
    if (await takeFactorCode(context, userId, code)) return;
    throw wrongCode();
  }
  const step = await tryStep(context, deps.stepCookie, ["proof"]);
  if (step === undefined || step.userId !== userId) throw stepOver();
  const party = relyingPartyOf(deps.options, deps.host);
  const passkey = await takePasskey(context, answer, { challenge: step.challenge, party });
  const isFirst = await endStep(context.database.db, deps.stepCookie);
  if (!isFirst || passkey.user_id !== userId) throw stepOver();
}

/** The refusal of a code that is wrong, was used or is too old. */
export function wrongCode(): AppError {
  return new AppError("factor-code-wrong", "The code is wrong, or was used already. Each works once.", {
    field: "code",
  });
}

/** The refusal of a step that was not begun here, took too long or was tried too often. */
export function stepOver(): AppError {
  return new AppError("login-step-over", "This took too long, or there were too many wrong tries. Begin again.");
}
