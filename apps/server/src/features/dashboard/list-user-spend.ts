import type { UserSpend } from "@one-api/contract/usage/user-spend";
import { NO_USAGE_FILTER } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import { askLog } from "../logs/index.ts";
import { slotsOf } from "./read-dashboard.ts";

/** What these users spent in each interval (edges in Unix seconds, comma-separated): one question to the log. */
export async function listUserSpend(
  context: Pick<CallContext, "logStore" | "signal">,
  ids: readonly number[],
  edges: string,
): Promise<UserSpend[]> {
  const { answer } = await askLog(context, {
    kind: "usage",
    filter: { ...NO_USAGE_FILTER, userIds: ids },
    edges: slotsOf(edges),
    by: "user",
    order: "spend",
    rows: ids.length,
    split: ids.length,
    times: "none",
  });
  return answer.rows.map(({ key, usage, intervals = [] }) => ({
    id: Number(key),
    quota: usage.quota,
    parts: intervals.map(({ quota }) => quota),
  }));
}
