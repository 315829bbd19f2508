import type { Dashboard } from "@one-api/contract/usage/dashboard";

const WEEK_SECONDS = 7 * 86_400;

/** Returns when a balance is used up at the pace of the last 7 days, in Unix seconds like `now`; undefined if nothing was spent. */
export function balanceEnd(
  balance: number,
  { edges, parts }: Pick<Dashboard, "edges" | "parts">,
  now: number,
): number | undefined {
  const first = edges.findIndex((edge) => edge >= now - WEEK_SECONDS);
  const spent = parts.slice(first).reduce((sum, { quota }) => sum + quota, 0);
  const seconds = now - (edges[first] ?? now);
  return spent <= 0 || seconds <= 0 ? undefined : now + (balance / spent) * seconds;
}
