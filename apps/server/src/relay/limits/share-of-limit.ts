import type { ServerPlace } from "@one-api/ledger/ledger";

/**
 * Returns the part of a limit that one server enforces while servers do not count together. The parts of all servers
 * add up to the limit. A limit below the number of servers gives each server 1, since 0 would refuse a client that
 * stays on one server.
 */
export function shareOfLimit(limit: number, { index, count }: ServerPlace): number {
  const rest = limit % count;
  return Math.max(1, (limit - rest) / count + (index < rest ? 1 : 0));
}
