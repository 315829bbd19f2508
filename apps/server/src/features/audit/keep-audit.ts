import type { Logger } from "pino";
import { nowSeconds } from "../../core/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { type RepeatedWork, repeatWork } from "../../core/work/repeat-work.ts";
import { checkAudit } from "./seals/check-audit.ts";
import { type AuditSealing, removeSealedBefore, sealAudit } from "./seals/seal-audit.ts";

const DAY_SECONDS = 24 * 3600;
const SEAL_EVERY_MS = 5 * 60_000;
const FORGET_EVERY_MS = 3_600_000;
/** How often it is looked whether a check is due. */
const CHECK_EVERY_MS = 10 * 60_000;

interface AuditKeeping extends AuditSealing {
  readonly options: OptionStore;
}

/** Removes sealed entries that are older than the days that AuditRetentionDays says; with 0 they stay for ever. Returns how many that were. */
export async function forgetOldAudit({ options, ...sealing }: AuditKeeping): Promise<number> {
  const days = options.number("AuditRetentionDays");
  return days === 0 ? 0 : removeSealedBefore(sealing, nowSeconds(sealing.clock) - days * DAY_SECONDS);
}

/** Seals, checks once a day and forgets while the server runs. The seals go into the server's log too, which nobody changes with the database. */
export function keepAudit(keeping: AuditKeeping, log: Logger): Pick<RepeatedWork, "stop"> {
  const works = [
    repeatWork({ name: "audit seals", everyMs: SEAL_EVERY_MS, log }, async () => {
      for (const { number, hash } of await sealAudit(keeping)) log.info({ seal: number, hash }, "audit trail sealed");
    }),
    repeatWork({ name: "audit retention", everyMs: FORGET_EVERY_MS, log }, async () => {
      await forgetOldAudit(keeping);
    }),
    repeatWork({ name: "audit check", everyMs: CHECK_EVERY_MS, log }, async () => {
      const problems = await checkAudit(keeping, DAY_SECONDS);
      if (problems.length > 0) log.error({ problems }, "the audit trail is not as it was written");
    }),
  ];
  return {
    async stop() {
      for (const work of works) await work.stop();
    },
  };
}
