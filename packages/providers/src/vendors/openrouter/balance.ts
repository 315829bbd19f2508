import { type Balance, besideVersion } from "../../builders/balances.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";

/** Source: https://openrouter.ai/docs/api-reference/credits */
export const openRouterBalance: Balance = async (account, getJson) => {
  const answer = await getJson(besideVersion(account, "/v1/credits"), bearerHeaders(account.connection));
  const credits = recordOf(recordOf(answer).data);
  return readNumber(credits.total_credits, "data.total_credits") - readNumber(credits.total_usage, "data.total_usage");
};
