import { type Balance, besideVersion } from "../../builders/balances.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { listOf, readNumber, recordOf } from "../../shared/json-fields.ts";

/** Source: https://api-docs.deepseek.com/api/get-user-balance */
export const deepSeekBalance: Balance = async (account, getJson) => {
  const answer = recordOf(await getJson(besideVersion(account, "/user/balance"), bearerHeaders(account.connection)));
  const yuan = listOf(answer.balance_infos)
    .map(recordOf)
    .find((info) => info.currency === "CNY");
  return readNumber(yuan?.total_balance, "balance_infos (currency CNY)");
};
