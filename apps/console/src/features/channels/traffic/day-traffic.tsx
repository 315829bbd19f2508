import type { ChannelDay } from "@one-api/contract/usage/channel-traffic";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { NumbersProblem } from "../../../components/load-problem.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { channelTrafficQuery } from "../channel-queries.ts";

/** Undefined until it is loaded. */
type DayTraffic = ReadonlyMap<number, ChannelDay> | undefined;

const DayTrafficContext = createContext<DayTraffic>(undefined);

export function DayTrafficProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...channelTrafficQuery, enabled: useIsIdle() });
  return <DayTrafficContext value={data}>{children}</DayTrafficContext>;
}

export function DayTrafficProblem() {
  const { t } = useTranslation("channels");
  const traffic = useQuery({ ...channelTrafficQuery, enabled: false });
  return <NumbersProblem of={t("traffic.hint")} query={traffic} />;
}

/** `isKnown` is false until the numbers are there. A channel without requests has no day. */
export function useChannelDay(id: number): { readonly isKnown: boolean; readonly day: ChannelDay | undefined } {
  const days = use(DayTrafficContext);
  return { isKnown: days !== undefined, day: days?.get(id) };
}
