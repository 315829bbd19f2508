import type { LimitUse } from "@one-api/contract/limits/limit-use";

/** Returns the limit of which the largest share is used; undefined without any. */
export function nearestUse(uses: readonly LimitUse[]): LimitUse | undefined {
  return uses.toSorted((one, other) => other.used / other.limit - one.used / one.limit)[0];
}
