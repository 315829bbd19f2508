import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import type { ChannelType } from "@one-api/contract/channel-types";
import type { ProviderFormat } from "../format.ts";
import { ollamaChat, ollamaEmbeddings } from "../formats/ollama/ollama.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Provider, Service } from "../provider.ts";
import { listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";
import { bearerHeaders } from "./openai-compatible.ts";

/** Ollama by its own API. It asks for no key; what stands in front of it may. Source: https://docs.ollama.com/api */
export function ollama(type: ChannelType): Provider {
  // What people paste ends with `/v1`, for its other API.
  const urlOf = (connection: ChannelConnection, path: string) =>
    appendPath(withoutVersion(baseUrlOf(type, connection)), path);
  const serviceOf = (format: ProviderFormat, path: string): Service => ({
    format,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: urlOf(connection, path), headers: bearerHeaders(connection) },
      body,
    }),
  });
  const services = {
    "chat-completions": serviceOf(ollamaChat, "/api/chat"),
    embeddings: serviceOf(ollamaEmbeddings, "/api/embed"),
  } as const;
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) =>
      endpoint === "chat-completions" || endpoint === "embeddings" ? services[endpoint] : undefined,
    async listModels(connection: ChannelConnection, getJson: GetJson) {
      const url = urlOf(connection, "/api/tags");
      const { models } = recordOf(await getJson(url, bearerHeaders(connection)));
      if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
      return [...new Set(listOf(models).map((model) => textOf(recordOf(model).name)))].filter((name) => name !== "");
    },
  };
}
