import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** A reseller that tells its balance in yuan. */
export const closeai = openAiCompatible(4, {
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(4, connection)), "/dashboard/billing/credit_grants");
    return readNumber(recordOf(await getJson(url, bearerHeaders(connection))).total_available, "total_available");
  },
});
