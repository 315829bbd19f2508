import { SPEND_DAYS, type UserSpend } from "@one-api/contract/usage/user-spend";
import { NO_USAGE_FILTER, SLOT_SECONDS } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { askLog } from "../logs/index.ts";

const DAY_SECONDS = 86_400;

/** What these users spent in the last 30 days, by 24 hours: one question to the log. */
export async function listUserSpend(
  context: Pick<CallContext, "clock" | "logStore" | "signal">,
  ids: readonly number[],
): Promise<UserSpend[]> {
  const end = (Math.floor(nowSeconds(context.clock) / SLOT_SECONDS) + 1) * SLOT_SECONDS;
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: { ...NO_USAGE_FILTER, userIds: ids },
    edges: Array.from({ length: SPEND_DAYS + 1 }, (_, day) => end - (SPEND_DAYS - day) * DAY_SECONDS),
    by: "user",
    order: "spend",
    rows: ids.length,
    split: ids.length,
    times: "none",
  });
  return answer.rows.map(({ key, usage, intervals = [] }) => ({
    id: Number(key),
    quota: usage.quota,
    days: intervals.map(({ quota }) => quota),
  }));
}
