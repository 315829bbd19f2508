import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Tables } from "@one-api/database/tables";
import type { Selectable } from "kysely";
import type { Queryable } from "../../../core/transaction.ts";

const CHECK_COLUMNS = [
  "id",
  "status",
  "paused_until",
  "status_hint",
  "test_minutes",
  "balance_minutes",
  "models_minutes",
  "probe_time",
  "failed_probes",
  "check_time",
  "test_check_time",
  "balance_check_time",
  "models_check_time",
] as const;

export type CheckedRow = Pick<Selectable<Tables["channels"]>, (typeof CHECK_COLUMNS)[number]>;

/** Enabled and automatically disabled channels that take part in scheduled checks. */
export function listCheckedChannels(queryable: Queryable): Promise<CheckedRow[]> {
  return queryable
    .selectFrom("channels")
    .select(CHECK_COLUMNS)
    .where("scheduled_checks", "=", 1)
    .where("status", "in", [CHANNEL_STATUS.enabled, CHANNEL_STATUS.autoDisabled])
    .orderBy("id")
    .execute();
}

export type CheckPlan = Partial<
  Pick<CheckedRow, "probe_time" | "failed_probes" | "test_check_time" | "balance_check_time" | "models_check_time">
>;

/**
 * Claims the checks of a channel as it was read, and plans the next ones. Returns false if another server has claimed
 * them since.
 */
export async function claimChecks(
  queryable: Queryable,
  { id, check_time: readAt }: Pick<CheckedRow, "id" | "check_time">,
  now: number,
  plan: CheckPlan,
): Promise<boolean> {
  const claimed = await queryable
    .updateTable("channels")
    .set({ ...plan, check_time: Math.max(now, readAt + 1) })
    .where("id", "=", id)
    .where("check_time", "=", readAt)
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}
