import type { UsageOfDay } from "@one-api/contract/usage/dashboard";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { readUsage } from "../usage/index.ts";

const DAYS = 7;
const DAY_SECONDS = 86_400;

/** What the caller used on each of the last days, today among them, by model; a day without any use has no rows. */
export async function listUsageOfDays(context: CallContext): Promise<UsageOfDay[]> {
  const today = Math.floor(nowSeconds(context.clock) / DAY_SECONDS) * DAY_SECONDS;
  const edges = Array.from({ length: DAYS + 1 }, (_, day) => today + (day + 1 - DAYS) * DAY_SECONDS);
  const userId = requireActor(context).id;
  const { partTables } = await readUsage(context.database, { edges, by: "model", userId, isSplit: true });
  return partTables.flatMap((table, index) => {
    const day = new Date((edges[index] ?? 0) * 1000).toISOString().slice(0, "YYYY-MM-DD".length);
    return [...table.entries()].map(([model, sums]) => ({
      Day: day,
      ModelName: String(model),
      RequestCount: sums.requests,
      Quota: Math.max(0, sums.quota),
      PromptTokens: sums.prompt_tokens,
      CompletionTokens: sums.completion_tokens,
    }));
  });
}
