import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { REDEMPTION_LIMITS, REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { ImportFindings } from "./import-findings.ts";
import { isDeleted, quotaOf, textOf, wholeOf } from "./old-row.ts";
import type { PlannedUser } from "./plan-users.ts";

const NOUN = "redemption code";

/** A redemption code to be written, in clear text; ids do not change. */
export interface PlannedRedemption {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly key: string;
  readonly status: number;
  readonly quota: number;
  readonly created_time: number;
  readonly redeemed_time: number;
  readonly redeemed_by: number | null;
}

interface Planning {
  readonly users: ReadonlyMap<number, PlannedUser>;
  readonly rootId: number;
  readonly findings: ImportFindings;
  readonly now: number;
}

export function planRedemptions(rows: readonly ForeignRow[], planning: Planning): PlannedRedemption[] {
  const keys = new Set<string>();
  return rows.flatMap((row) => {
    const code = planRedemption(row, planning, keys);
    if (code !== undefined) keys.add(code.key);
    return code === undefined ? [] : [code];
  });
}

function planRedemption(
  row: ForeignRow,
  { users, rootId, findings, now }: Planning,
  keys: ReadonlySet<string>,
): PlannedRedemption | undefined {
  const [id, key, quota] = [wholeOf(row, "id"), textOf(row, "key"), quotaOf(row, "quota")];
  const name = textOf(row, "name").replaceAll(UNPRINTABLE, " ").slice(0, REDEMPTION_LIMITS.nameLength) || `code ${id}`;
  if (isDeleted(row)) {
    findings.skipDeleted(NOUN);
    return undefined;
  }
  const refusal = refusalOf(key, quota, keys);
  if (refusal !== undefined) {
    findings.leaveOut(NOUN, `${name} (${id})`, refusal);
    return undefined;
  }
  const [creator, redeemer] = [wholeOf(row, "user_id"), wholeOf(row, "used_user_id")];
  return {
    id,
    user_id: users.has(creator) ? creator : rootId,
    name,
    key,
    status: statusOf(row, { findings, now }),
    quota,
    created_time: quotaOf(row, "created_time"),
    redeemed_time: quotaOf(row, "redeemed_time"),
    redeemed_by: users.has(redeemer) ? redeemer : null,
  };
}

function refusalOf(key: string, quota: number, keys: ReadonlySet<string>): string | undefined {
  if (key === "" || key.length > REDEMPTION_LIMITS.keyLength) return "it has no code that somebody could type";
  if (quota === 0) return "it is worth nothing";
  return keys.has(key) ? "another one has the same code" : undefined;
}

function statusOf(row: ForeignRow, { findings, now }: Pick<Planning, "findings" | "now">): number {
  const status = wholeOf(row, "status", REDEMPTION_STATUS.unused);
  if (status === REDEMPTION_STATUS.used) return status;
  const expiry = wholeOf(row, "expired_time");
  if (status !== REDEMPTION_STATUS.unused || (expiry > 0 && expiry < now)) return REDEMPTION_STATUS.disabled;
  if (expiry > 0)
    findings.changeAlike(NOUN, wholeOf(row, "id"), "would have expired: here codes do not", quotaOf(row, "quota"));
  return REDEMPTION_STATUS.unused;
}
