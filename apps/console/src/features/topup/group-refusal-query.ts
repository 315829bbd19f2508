import { periodStart } from "@one-api/contract/budget";
import { LOG_TYPE } from "@one-api/contract/constants";
import type { GroupBudget } from "@one-api/contract/limits/group-budget";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { readLogDetail } from "../logs/log-outcome.tsx";

const REFRESH_MS = 60_000;

/** The newest own request of this period that the group's budget refused: its time and upper bound in quota; null without one. */
export function groupRefusalQuery({ group, budget }: GroupBudget) {
  const start = periodStart(budget.period, budget.renews_at - 1);
  return queryOptions({
    queryKey: ["logs", "group-budget", group, start],
    queryFn: async ({ signal }) => {
      const query = { type: LOG_TYPE.consumption, result: "over-budget", size: 10, start_timestamp: start } as const;
      const logs = await callApi("GET /api/log/self/", { query, signal });
      for (const log of logs) {
        const values = readLogDetail(log)?.refusal_values;
        if (values?.whose === "group" && (values.group ?? group) === group && values.needed !== undefined)
          return { at: log.created_at, needed: values.needed };
      }
      return null;
    },
    refetchInterval: REFRESH_MS,
    meta: { quiet: true },
  });
}
