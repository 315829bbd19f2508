import { openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** A reseller whose balance question takes the key as a query parameter and nowhere else, so its errors must not name the address. */
export const openaiSb = openAiCompatible(5, {
  async balance(connection, getJson) {
    const url = new URL(appendPath(withoutVersion(baseUrlOf(5, connection)), "/sb-api/user/status"));
    url.searchParams.set("api_key", connection.key);
    const answer = await getJson(url.href, {}).catch(() => {
      throw new Error("OpenAI-SB did not tell the balance: check the channel's key, then try again later.");
    });
    return readNumber(recordOf(recordOf(answer).data).credit, "data.credit");
  },
});
