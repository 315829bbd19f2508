import { type AuditProblem, type AuditSealState, auditProblemSchema } from "@one-api/contract/audit";
import type { OpenDatabase } from "@one-api/database/open-database";
import { z } from "zod";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { recordAlert } from "../../alerts/index.ts";
import { countUnsealed, findCheck, findNewestSeal, saveCheck } from "./audit-seal.repository.ts";
import type { AuditSealing } from "./seal-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const savedProblemsSchema = z.array(auditProblemSchema);

/**
 * Checks the audit trail if the last check is older than `everySeconds`, stores the result, and alerts root
 * of new problems.
 * Returns the problems; empty if no check was due.
 */
export async function checkAudit(sealing: AuditSealing, everySeconds: number): Promise<readonly AuditProblem[]> {
  const { database, clock } = sealing;
  const last = await findCheck(database.db);
  if (last !== undefined && last.checked_at > nowSeconds(clock) - everySeconds) return [];
  const { problems } = await verifyAudit(sealing);
  const check = { checked_at: nowSeconds(clock), problems: JSON.stringify(problems) };
  const known = new Set(readProblems(last?.problems).map(nameOf));
  const [first, ...others] = problems.filter((problem) => !known.has(nameOf(problem)));
  await inTransaction(database, async (transaction) => {
    if (!(await saveCheck(transaction, check, last?.checked_at)) || first === undefined) return;
    await recordAlert(transaction, { kind: "audit-broken", found: 1 + others.length, first }, check.checked_at);
  });
  return problems;
}

function nameOf({ kind, id }: AuditProblem): string {
  return `${kind} ${id}`;
}

function readProblems(saved = "[]"): AuditProblem[] {
  return savedProblemsSchema.parse(JSON.parse(saved));
}

export async function getAuditSeal({ db }: OpenDatabase): Promise<AuditSealState> {
  const [seal, unsealed, check] = await Promise.all([findNewestSeal(db, "entries"), countUnsealed(db), findCheck(db)]);
  return {
    sealed_up_to: seal?.newest_at ?? 0,
    unsealed,
    checked_at: check?.checked_at ?? 0,
    problems: readProblems(check?.problems),
  };
}
