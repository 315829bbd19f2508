import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { listOf, readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** Source: https://api-docs.deepseek.com/api/get-user-balance */
export const deepseek = openAiCompatible(36, {
  endpoints: ["chat-completions"],
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(36, connection)), "/user/balance");
    const answer = recordOf(await getJson(url, bearerHeaders(connection)));
    const yuan = listOf(answer.balance_infos)
      .map(recordOf)
      .find((info) => info.currency === "CNY");
    return readNumber(yuan?.total_balance, "balance_infos (currency CNY)");
  },
});
