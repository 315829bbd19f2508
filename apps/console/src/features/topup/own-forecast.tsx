import { useQuery } from "@tanstack/react-query";
import { LastsUntil } from "../dashboard/lasts-until.tsx";
import { ownMonthQuery } from "./own-month-query.ts";

/** How long the balance lasts at the pace of the last days. */
export default function OwnForecast({ balance }: { balance: number }) {
  const { data: month } = useQuery(ownMonthQuery());
  return month === undefined ? "" : <LastsUntil balance={balance} usage={month} />;
}
