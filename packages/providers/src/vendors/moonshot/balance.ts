import { type Balance, besideVersion } from "../../builders/balances.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";

/** In yuan, the currency of the Chinese site. Source: https://platform.moonshot.cn/docs/api/balance */
export const moonshotBalance: Balance = async (account, getJson) => {
  // The answer names no currency.
  if (/(?:^|\.)moonshot\.ai$/.test(account.base.hostname)) {
    throw new Error("Moonshot's international site counts in dollars: the balance is shown for api.moonshot.cn only.");
  }
  const url = besideVersion(account, "/v1/users/me/balance");
  const { data } = recordOf(await getJson(url, bearerHeaders(account.connection)));
  return readNumber(recordOf(data).available_balance, "data.available_balance");
};
