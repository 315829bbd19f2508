import type { proofSchema } from "@one-api/contract/accounts/factor";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { findAccount, type PasswordHasher } from "../users/index.ts";
import { countRequest, forgetRequests } from "../verification/index.ts";
import { endLoginStep, tryLoginStep } from "./login-step.ts";
import { relyingPartyOf, takePasskey } from "./passkey-ceremony.ts";
import { secondFactorsOf } from "./second-factors.ts";
import { takeFactorCode } from "./verify-code.ts";

export type Evidence = z.output<typeof proofSchema>;

export interface ProofDeps {
  readonly options: OptionStore;
  readonly hasher: PasswordHasher;
  readonly host: string;
  readonly stepCookie: SessionCookie;
}

const TRIES = { most: 10, windowSeconds: 600 } as const;

/** Proofs required before factors change: the password and a factor, as far as the user has them. */
export async function requiredProofs(context: CallContext, userId: number): Promise<("password" | "factor")[]> {
  const { db } = context.database;
  const account = await findAccount(db, userId);
  const hasFactor = (await secondFactorsOf(db, userId)).length > 0;
  return [...(account?.password_hash ? (["password"] as const) : []), ...(hasFactor ? (["factor"] as const) : [])];
}

/**
 * Requires all proofs of the account's owner, as an open session is not enough.
 * Throws `factor-password-wrong`, `factor-proof-missing`, `factor-code-wrong`, `passkey-refused`,
 * `passkey-unknown`, `login-step-over` and `too-many-requests`.
 */
export async function proveOwner(context: CallContext, evidence: Evidence, deps: ProofDeps): Promise<void> {
  const { id } = requireActor(context);
  const parts = await requiredProofs(context, id);
  await countingTry(context, id, async () => {
    if (parts.includes("password")) await provePassword(context, evidence, deps, id);
    if (parts.includes("factor")) await proveFactor(context, evidence, deps, id);
  });
}

/** Requires one proof: the password if given, else a factor. Throws the refusals of `proveOwner`. */
export async function proveByEither(context: CallContext, evidence: Evidence, deps: ProofDeps): Promise<void> {
  const { id } = requireActor(context);
  const prove = evidence.password === "" ? proveFactor : provePassword;
  await countingTry(context, id, () => prove(context, evidence, deps, id));
}

/** Counts the try first, so that concurrent tries are all counted. A success resets the count. */
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
  const step = await tryLoginStep(context, deps.stepCookie, ["proof"]);
  if (step === undefined || step.userId !== userId) throw loginStepOver();
  const party = relyingPartyOf(deps.options, deps.host);
  const passkey = await takePasskey(context, answer, { challenge: step.challenge, party });
  const isFirst = await endLoginStep(context.database.db, deps.stepCookie);
  if (!isFirst || passkey.user_id !== userId) throw loginStepOver();
}

export function wrongCode(): AppError {
  return new AppError("factor-code-wrong", "The code is wrong, or was used already. Each works once.", {
    field: "code",
  });
}

export function loginStepOver(): AppError {
  return new AppError("login-step-over", "This took too long, or there were too many wrong tries. Begin again.");
}
