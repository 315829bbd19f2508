import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiBatches } from "../../batch-api.ts";
import { openAiCompatible, SOUND_ENDPOINTS } from "../../builders/openai-compatible.ts";
import { thinksAtGroq } from "../../model-facts/api-facts.ts";
import type { Provider } from "../../provider.ts";

/** Reports usage in every stream, also in `x_groq`. Refuses `reasoning_content`: thoughts are `reasoning`. */
export function groq(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", ...SOUND_ENDPOINTS],
    exact: false,
    chat: {
      streamUsage: "always",
      logprobs: false,
      thoughts: (model) => (thinksAtGroq(model) ? "reasoning" : "dropped"),
    },
    // Source: https://console.groq.com/docs/speech-to-text
    leastSeconds: 10,
    // Source: https://console.groq.com/docs/batch
    batches: openAiBatches(() => 0.5),
  });
}
