import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import type { NameRule } from "../../neutral/fit/name-rule.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";
import { mistralBatches } from "./batches.ts";

/** Nine letters and digits. Source: https://mistralai.github.io/mistral-common/usage/tools/ */
const CALL_IDS: NameRule = { maxLength: 9, pattern: /^[a-zA-Z0-9]{9}$/, refused: /[^a-zA-Z0-9]/g, isHash: true };

/** Mistral refuses `stream_options`, reports usage in every stream, and writes thoughts into the content. Source: https://docs.mistral.ai/api */
export function mistral(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings", "moderations"],
    exact: false,
    chat: {
      ...PLAIN,
      streamUsage: "always",
      thoughts: "parts",
      requiredChoice: "any",
      seedField: "random_seed",
      callIds: CALL_IDS,
    },
    batches: mistralBatches,
  });
}
