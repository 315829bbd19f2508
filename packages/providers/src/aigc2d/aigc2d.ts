import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** A reseller that tells its balance in points. */
export const aigc2d = openAiCompatible(13, {
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(13, connection)), "/dashboard/billing/credit_grants");
    const answer = await getJson(url, bearerHeaders(connection));
    return readNumber(recordOf(answer).total_available, "total_available");
  },
});
