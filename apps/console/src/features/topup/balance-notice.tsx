import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { selfQuery } from "../profile/self-queries.ts";

const NoBalanceNotice = lazyPart(() => import("./no-balance-notice.tsx"), ["topup"]);

/** A notice while the own balance is used up; nothing else. */
export function BalanceNotice() {
  const { data: self } = useQuery({ ...selfQuery, meta: { quiet: true } });
  return self !== undefined && self.quota <= 0 && <NoBalanceNotice quota={self.quota} />;
}
