import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { formatMoney, formatQuota, formatTwoDecimals } from "../../lib/format.ts";

const TEN_THOUSAND = 10_000;

/** A channel's balance in the unit of its type: dollars, yuan, ten-thousandths or quota; undefined where the type reports none. */
export function formatBalance(type: number, balance: number): string | undefined {
  switch (channelTypeInfo(type)?.balance) {
    case "dollar":
      return formatMoney(balance);
    case "yuan":
      return formatMoney(balance, "¥");
    case "ten-thousandth":
      return formatTwoDecimals(balance / TEN_THOUSAND);
    case "quota":
      return formatQuota(Math.round(balance), { displayInCurrency: false, quotaPerUnit: 1 });
    case undefined:
      return undefined;
  }
}
