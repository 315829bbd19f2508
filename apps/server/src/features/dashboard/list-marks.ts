import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import { type DashboardMarks, getDashboardMarks, MAX_MARKS } from "@one-api/contract/usage/dashboard";
import type { CallContext } from "../../core/call-context.ts";
import { listOptionChangeTimes } from "../audit/index.ts";
import { listNewestDecisions, nameChannels } from "../channels/index.ts";

interface Period {
  readonly start: number;
  readonly end: number;
}

/** The newest price changes and automatic decisions of a period, each oldest first. */
export async function listMarks({ database }: Pick<CallContext, "database">, period: Period): Promise<DashboardMarks> {
  const [times, decisions] = await Promise.all([
    listOptionChangeTimes(database.db, PRICE_KEYS, period, MAX_MARKS),
    listNewestDecisions(database.db, period, MAX_MARKS),
  ]);
  const names = await nameChannels(
    database.db,
    decisions.map(({ channel_id: id }) => id),
  );
  return getDashboardMarks.data.parse({
    price_changes: times.toReversed(),
    decisions: decisions
      .map((decision) => ({
        ...decision,
        at: decision.first_at,
        channel_name: names.get(decision.channel_id) ?? "",
      }))
      .toReversed(),
  });
}
