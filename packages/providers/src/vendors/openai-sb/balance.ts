import { type Balance, besideVersion } from "../../builders/balances.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";

/** The key is a query parameter, the only form that is accepted, so errors must not contain the address. */
export const openAiSbBalance: Balance = async (account, getJson) => {
  const url = new URL(besideVersion(account, "/sb-api/user/status"));
  url.searchParams.set("api_key", account.connection.key);
  const answer = await getJson(url.href, {}).catch(() => {
    throw new Error("OpenAI-SB did not tell the balance: check the channel's key, then try again later.");
  });
  return readNumber(recordOf(recordOf(answer).data).credit, "data.credit");
};
