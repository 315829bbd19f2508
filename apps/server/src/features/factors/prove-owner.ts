import type { proofSchema } from "@one-api/contract/accounts/factor";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../core/clock.ts";
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
  const { database, clock } = context;
  const parts = await proofParts(context, id);
  const subject = `proof:${id}`;
  await countRequest(database, [{ ...TRIES, subject }], nowSeconds(clock));
  if (parts.includes("password")) {
    const account = await findAccount(database.db, id);
    if (!(await deps.hasher.verify(evidence.password, account?.password_hash)))
      throw new AppError("factor-password-wrong", "The password is wrong.", { field: "password" });
  }
  if (parts.includes("factor")) await proveFactor(context, evidence, deps, id);
  await forgetRequests(database.db, [subject]);
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
