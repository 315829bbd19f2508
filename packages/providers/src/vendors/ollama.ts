import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import type { ChannelType } from "@one-api/contract/channel-types";
import { ollamaChat, ollamaEmbeddings } from "../formats/ollama/ollama.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Provider } from "../provider.ts";
import { listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { bearerHeaders } from "./openai-compatible.ts";
import { serveOwnApi, unversionedUrl } from "./own-api.ts";

/** Ollama by its own API. It asks for no key; what stands in front of it may. Source: https://docs.ollama.com/api */
export function ollama(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve: serveOwnApi(type, bearerHeaders, {
      "chat-completions": { format: ollamaChat, path: "/api/chat" },
      embeddings: { format: ollamaEmbeddings, path: "/api/embed" },
    }),
    async listModels(connection: ChannelConnection, getJson: GetJson) {
      const url = unversionedUrl(type, connection, "/api/tags");
      const { models } = recordOf(await getJson(url, bearerHeaders(connection)));
      if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
      return [...new Set(listOf(models).map((model) => textOf(recordOf(model).name)))].filter((name) => name !== "");
    },
  };
}
