import { type AuditProblem, type AuditSealState, auditProblemSchema } from "@one-api/contract/audit";
import type { OpenDatabase } from "@one-api/database/open-database";
import { z } from "zod";
import { nowSeconds } from "../../../core/clock.ts";
import { countUnsealed, findCheck, findNewestSeal, saveCheck } from "./audit-seal.repository.ts";
import type { AuditSealing } from "./seal-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const savedProblemsSchema = z.array(auditProblemSchema);

/** Checks the audit trail when the last check is so many seconds old, and keeps how it ended. Returns what it found; nothing when none was due. */
export async function checkAudit(sealing: AuditSealing, everySeconds: number): Promise<readonly AuditProblem[]> {
  const { db } = sealing.database;
  const last = await findCheck(db);
  if (last !== undefined && last.checked_at > nowSeconds(sealing.clock) - everySeconds) return [];
  const { problems } = await verifyAudit(sealing);
  await saveCheck(db, nowSeconds(sealing.clock), JSON.stringify(problems));
  return problems;
}

/** Up to when the trail is sealed, and how the last check ended. */
export async function getAuditSeal({ db }: OpenDatabase): Promise<AuditSealState> {
  const [seal, unsealed, check] = await Promise.all([findNewestSeal(db, "entries"), countUnsealed(db), findCheck(db)]);
  return {
    sealed_up_to: seal?.newest_at ?? 0,
    unsealed,
    checked_at: check?.checked_at ?? 0,
    problems: savedProblemsSchema.parse(JSON.parse(check?.problems ?? "[]")),
  };
}
