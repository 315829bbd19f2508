import { channelTypeInfo } from "@one-api/contract/channel-types";
import { formatQuota } from "../../../lib/format.ts";

const TEN_THOUSAND = 10_000;

/** A channel's balance in the unit of its type: dollars, yuan, ten-thousandths or quota; undefined where the type reports none. */
export function formatBalance(type: number, balance: number): string | undefined {
  switch (channelTypeInfo(type)?.balance) {
    case "dollar":
      return withSign("$", balance);
    case "yuan":
      return withSign("¥", balance);
    case "ten-thousandth":
      return (balance / TEN_THOUSAND).toFixed(2);
    case "quota":
      return formatQuota(Math.round(balance), { displayInCurrency: false, quotaPerUnit: 1 });
    case undefined:
      return undefined;
  }
}

function withSign(sign: string, amount: number): string {
  return `${amount < 0 ? "-" : ""}${sign}${Math.abs(amount).toFixed(2)}`;
}
