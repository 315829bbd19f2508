import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { bearerHeaders, openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** OpenRouter attributes calls to an app by these headers. Source: https://openrouter.ai/docs/app-attribution */
export const openrouter = openAiCompatible(20, {
  endpoints: ["chat-completions", "completions", "embeddings"],
  headers: { "http-referer": "https://one-api.local/", "x-title": DEFAULT_SYSTEM_NAME },
  async balance(connection, getJson) {
    const url = appendPath(withoutVersion(baseUrlOf(20, connection)), "/v1/credits");
    const credits = recordOf(recordOf(await getJson(url, bearerHeaders(connection))).data);
    return (
      readNumber(credits.total_credits, "data.total_credits") - readNumber(credits.total_usage, "data.total_usage")
    );
  },
});
