import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";

/** A stored redemption code for tests. */
export function sampleRedemption(changes: Partial<Redemption> = {}): Redemption {
  return {
    id: 7,
    name: "spring",
    key: `abcd${"x".repeat(24)}wxyz`,
    status: REDEMPTION_STATUS.unused,
    quota: 500_000,
    created_time: 1_700_000_000,
    redeemed_time: 0,
    redeemed_by: "",
    batch_count: 1,
    batch_used: 0,
    ...changes,
  };
}
