import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { selfQuery } from "../profile/self-queries.ts";

const NoBalanceNotice = lazyPart(() => import("./no-balance-notice.tsx"), ["topup"]);
const GroupBudgetCard = lazyPart(() => import("./group-budget-card.tsx"), ["topup", "budgets", "logs"]);

/** A notice while the own balance is used up, and the budget of the group, which stops requests like the balance. */
export function BalanceNotice() {
  const { data: self } = useQuery({ ...selfQuery, meta: { quiet: true } });
  return (
    <>
      {self !== undefined && self.quota <= 0 && <NoBalanceNotice quota={self.quota} />}
      <GroupBudgetNotice />
    </>
  );
}

/** The budget that the users of the own group share; nothing without one. */
export function GroupBudgetNotice() {
  const { data: self } = useQuery({ ...selfQuery, meta: { quiet: true } });
  const own = self?.group_budget ?? null;
  return own !== null && <GroupBudgetCard own={own} />;
}
