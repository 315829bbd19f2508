import { PROOF_SECONDS } from "@one-api/contract/accounts/factor";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { lockBoundAccount } from "../users/index.ts";
import { hasProvenSession, storeProvenSession } from "./login-step.ts";
import { type Evidence, type ProofDeps, proveByEither } from "./prove-owner.ts";
import { secondFactorsOf } from "./second-factors.ts";

/**
 * Records a proof of the session's user by password or factor, valid for ten minutes.
 * Throws `not-allowed` without a session, and the refusals of the proof.
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
  await proveByEither(context, evidence, deps);
  await inTransaction(context.database, async (transaction) => {
    // The lock prevents a proof from outliving a password that is changed at the same time.
    await lockBoundAccount(transaction, id);
    await storeProvenSession(transaction, context, { sessionId, userId: id, seconds: PROOF_SECONDS });
    await recordAudit(transaction, context, { action: "factor.prove-session", object: `user:${id}` });
  });
}

/**
 * Throws `proof-needed` if the account has a second factor and the session no proof of the last ten minutes.
 * A stolen session must not take over the account.
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
