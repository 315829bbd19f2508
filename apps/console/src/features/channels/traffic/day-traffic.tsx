import type { ChannelDay } from "@one-api/contract/usage/channel-traffic";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { LoadProblem } from "../../../components/load-problem.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { channelTrafficQuery } from "../channel-queries.ts";

/** Undefined until it is loaded. */
type DayTraffic = ReadonlyMap<number, ChannelDay> | undefined;

const DayTrafficContext = createContext<DayTraffic>(undefined);

export function DayTrafficProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...channelTrafficQuery, enabled: useIsIdle() });
  return <DayTrafficContext value={data}>{children}</DayTrafficContext>;
}

/** Why the columns of the last 24 hours are empty. A server without the log store has no such numbers. */
export function DayTrafficProblem() {
  const { data, error, refetch } = useQuery({ ...channelTrafficQuery, enabled: false });
  if (data !== undefined || error === null || (error instanceof ApiError && error.code === "log-store-off")) return null;
  return <LoadProblem error={error} onRetry={() => void refetch()} />;
}

/** `isKnown` is false until the numbers are there. A channel without requests has no day. */
export function useChannelDay(id: number): { readonly isKnown: boolean; readonly day: ChannelDay | undefined } {
  const days = use(DayTrafficContext);
  return { isKnown: days !== undefined, day: days?.get(id) };
}
