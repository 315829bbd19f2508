import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { parseExact } from "../../shared/exact-numbers.ts";
import { isRecord } from "../../shared/json-fields.ts";
import { rerank } from "../../protocols/rerank/rerank.ts";
import { openAiBatches } from "../../batch-api.ts";
import type { Provider } from "../../provider.ts";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { dashScopeUrl } from "./dashscope-url.ts";
import { servePictures } from "./pictures.ts";
import { dashScopeRerank } from "./rerank.ts";

/** One API's suffix for models that search the web. */
const SEARCHING = "-internet";

/**
 * Alibaba's DashScope: the OpenAI-compatible API, and pictures by its own. Source:
 * https://help.aliyun.com/zh/model-studio/compatibility-of-openai-with-dashscope
 */
export function qwen(type: ChannelType): Provider {
  const at = (path: string) => (connection: ChannelConnection) => dashScopeUrl(type, connection, path);
  const compatible = openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings"],
    rerank: (model) =>
      model.startsWith("qwen3-rerank")
        ? { format: rerank, exact: true, url: at("/compatible-api/v1/reranks") }
        : { format: dashScopeRerank, exact: false, url: at("/api/v1/services/rerank/text-rerank/text-rerank") },
    versionPath: "/compatible-mode/v1",
    chat: { limitField: "max_tokens", developerRole: false, reasoning: "none", thoughts: "text", topK: true },
    body: ({ body }, model) => (model.endsWith(SEARCHING) ? withSearch(body, model) : body),
    listModels: "none",
    // Source: https://help.aliyun.com/zh/dashscope/developer-reference/openai-batch-interface; it does not mention searches in batches.
    batches: openAiBatches((model) => (model.endsWith(SEARCHING) ? undefined : 0.5)),
  });
  return {
    ...compatible,
    serve: (endpoint, model, switches) =>
      servePictures(type, endpoint, model) ?? compatible.serve(endpoint, model, switches),
  };
}

function withSearch(body: Buffer, model: string): Buffer {
  const request = parseExact(body.toString());
  if (!isRecord(request)) return body;
  const named = { ...request, model: model.slice(0, -SEARCHING.length), enable_search: true };
  return Buffer.from(JSON.stringify(named));
}
