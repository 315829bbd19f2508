import { PROOF_SECONDS } from "@one-api/contract/accounts/factor";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { holdBoundAccount } from "../users/index.ts";
import { hasProvenSession, storeProvenSession } from "./entry-step.ts";
import { type Evidence, type ProofDeps, proveAnyPart } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";

/**
 * Proves with the password or a factor who uses the session; it counts for ten minutes. Throws `not-allowed` without a session, and the
 * refusals of the proof.
 */
export async function proveSession(
  context: CallContext,
  evidence: Evidence,
  { sessionId, ...deps }: ProofDeps & { readonly sessionId: string | undefined },
): Promise<void> {
  const { id } = requireActor(context);
  if (sessionId === undefined)
    throw new AppError(
      "not-allowed",
      "An access token proves nobody. Log in in a browser and prove the session there.",
    );
  await proveAnyPart(context, evidence, deps);
  await inTransaction(context.database, async (transaction) => {
    // Held, so that a proof does not outlive a password that is changed at the same time.
    await holdBoundAccount(transaction, id);
    await storeProvenSession(transaction, context, { sessionId, userId: id, seconds: PROOF_SECONDS });
    await recordAudit(transaction, context, { action: "factor.prove-session", object: `user:${id}` });
  });
}

/**
 * Throws `proof-needed` where the account has a second factor and nobody has proven within ten minutes who uses the session: a session alone
 * must not take the account over. An access token has no session and is refused, too.
 */
export async function requireFreshProof(context: CallContext, sessionId: string | undefined): Promise<void> {
  const { id } = requireActor(context);
  if ((await secondFactorsOf(context.database.db, id)).length === 0) return;
  if (sessionId !== undefined && (await hasProvenSession(context, { sessionId, userId: id }))) return;
  throw new AppError(
    "proof-needed",
    "This account has a second factor. Prove with the password or a second factor that it is you (POST /api/user/factors/proof), then try again.",
  );
}
