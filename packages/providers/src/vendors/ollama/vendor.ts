import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { ollamaChat, ollamaEmbeddings } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { ProviderIo } from "../../provider-io.ts";
import type { Requester, Provider, Service } from "../../provider.ts";
import { parseExact } from "../../shared/exact-numbers.ts";
import { listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { serveOwnApi, unversionedUrl } from "../../builders/own-api.ts";

/** Ollama by its own API. It needs no key, but a proxy in front may. Source: https://docs.ollama.com/api */
export function ollama(type: ChannelType): Provider {
  const serve = serveOwnApi(type, bearerHeaders, {
    "chat-completions": { format: ollamaChat, path: "/api/chat" },
    embeddings: { format: ollamaEmbeddings, path: "/api/embed" },
  });
  const chats = serve("chat-completions", "");
  const chatsWithPictures = chats && withPictures(chats);
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint, model) => (endpoint === "chat-completions" ? chatsWithPictures : serve(endpoint, model)),
    async listModels(connection: ChannelConnection, getJson: GetJson) {
      const url = unversionedUrl(type, connection, "/api/tags");
      const { models } = recordOf(await getJson(url, bearerHeaders(connection)));
      if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
      return [...new Set(listOf(models).map((model) => textOf(recordOf(model).name)))].filter((name) => name !== "");
    },
  };
}

/** Fetches pictures by address before the call: Ollama accepts only their bytes. */
function withPictures(service: Service): Service {
  return {
    ...service,
    call(request, connection, io, requester) {
      if (!request.body.includes('"http')) return service.call(request, connection, io);
      return fetchPictures(request.body, io, requester).then((body) =>
        service.call({ ...request, body }, connection, io),
      );
    },
  };
}

async function fetchPictures(body: Buffer, io: ProviderIo, requester: Requester | undefined): Promise<Buffer> {
  const takeMemory = requester && ((bytes: number) => requester.takeMemory(bytes));
  const request = recordOf(parseExact(body.toString()));
  const messages: unknown[] = [];
  for (const message of listOf(request.messages)) {
    const images: unknown[] = [];
    for (const image of listOf(recordOf(message).images)) {
      images.push(/^https?:/i.test(textOf(image)) ? await io.fetchPicture(textOf(image), takeMemory) : image);
    }
    messages.push(images.length === 0 ? message : { ...recordOf(message), images });
  }
  return Buffer.from(JSON.stringify({ ...request, messages }));
}
