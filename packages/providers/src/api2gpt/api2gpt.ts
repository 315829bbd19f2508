import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** A reseller that tells its balance in yuan. */
export const api2gpt = openAiCompatible(12, {
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(12, connection)), "/dashboard/billing/credit_grants");
    const answer = await getJson(url, bearerHeaders(connection));
    return readNumber(recordOf(answer).total_remaining, "total_remaining");
  },
});
