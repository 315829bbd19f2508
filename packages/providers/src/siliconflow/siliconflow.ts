import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

const SUCCESS_CODE = 20_000;

/** Source: https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info */
export const siliconflow = openAiCompatible(44, {
  endpoints: ["chat-completions", "completions", "embeddings"],
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(44, connection)), "/v1/user/info");
    const answer = recordOf(await getJson(url, bearerHeaders(connection)));
    if (answer.code !== SUCCESS_CODE) {
      throw new Error("SiliconFlow refused to tell the balance: check the channel's key.");
    }
    return readNumber(recordOf(answer.data).totalBalance, "data.totalBalance");
  },
});
