import { openAiCompatible } from "../formats/openai/openai-compatible.ts";
import { hasVersion } from "../shared/upstream-url.ts";

/** Chat alone, with a path of its own. Source: https://platform.minimax.io/docs/api-reference/text-post */
export const minimax = openAiCompatible(27, {
  endpoints: ["chat-completions"],
  path: (_endpoint, base) => `${hasVersion(base) ? "" : "/v1"}/text/chatcompletion_v2`,
});
