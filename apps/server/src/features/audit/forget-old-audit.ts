import type { OptionStore } from "../../core/option-store.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { type AuditSealing, removeSealedBefore } from "./seals/seal-audit.ts";

const DAY_SECONDS = 24 * 3_600;

export interface AuditRetention extends AuditSealing {
  readonly options: OptionStore;
}

/** Removes sealed entries older than AuditRetentionDays (0: never). Returns their number. */
export async function forgetOldAudit({ options, ...sealing }: AuditRetention): Promise<number> {
  const days = options.number("AuditRetentionDays");
  return days === 0 ? 0 : removeSealedBefore(sealing, nowSeconds(sealing.clock) - days * DAY_SECONDS);
}
