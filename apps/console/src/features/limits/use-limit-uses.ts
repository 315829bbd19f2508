import type { LimitUse } from "@one-api/contract/limits/limit-use";
import { useQuery } from "@tanstack/react-query";
import { limitUseQuery } from "./limit-use-query.ts";

export function nearestUse(uses: readonly LimitUse[]): LimitUse | undefined {
  return uses.toSorted((one, other) => other.used / other.limit - one.used / one.limit)[0];
}

/** Returns the limit of each own token of which the largest share is used. Tokens without limits are left out. */
export function useLimitUses(tokens: readonly { readonly id: number }[]): ReadonlyMap<number, LimitUse> {
  const { data } = useQuery({ ...limitUseQuery(tokens.map(({ id }) => id)), enabled: tokens.length > 0 });
  return new Map(
    (data?.tokens ?? []).flatMap(({ id, limits }) => {
      const nearest = nearestUse(limits);
      return nearest === undefined ? [] : [[id, nearest]];
    }),
  );
}
