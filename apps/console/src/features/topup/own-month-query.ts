import { usageQuery } from "../dashboard/dashboard-queries.ts";

/** Spend of the own account in 30 days. Without it the page is whole. */
export function ownMonthQuery() {
  return { ...usageQuery({ range: "month" }, false), meta: { quiet: true } };
}
