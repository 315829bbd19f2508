import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { cohereChat, cohereEmbeddings, cohereRerank } from "../../protocols/cohere/cohere.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service } from "../../provider.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { serveOwnApi, unversionedUrl } from "../../builders/own-api.ts";

const SERVED: ReadonlySet<unknown> = new Set(["chat", "embed", "rerank"]);
const MODELS_PER_PAGE = 1_000;
const MAX_PAGES = 10;

/** Cohere's own API, version 2. Source: https://docs.cohere.com/reference/about */
export function cohere(type: ChannelType): Provider {
  const serveOther = serveOwnApi(type, headersOf, {
    "chat-completions": { format: cohereChat, path: "/v2/chat" },
    embeddings: { format: cohereEmbeddings, path: "/v2/embed" },
  });
  const reranking: Service = {
    format: cohereRerank,
    exact: true,
    call: ({ body }, connection) => ({
      address: { url: unversionedUrl(type, connection, "/v2/rerank"), headers: headersOf(connection) },
      body,
    }),
  };
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint, model) => (endpoint === "rerank" ? reranking : serveOther(endpoint, model)),
    listModels: (connection, getJson) =>
      listModels(unversionedUrl(type, connection, "/v1/models"), headersOf(connection), getJson),
  };
}

/** The key, and the client name by which Cohere identifies integrations. */
function headersOf({ key }: ChannelConnection): Record<string, string> {
  return { authorization: `Bearer ${key}`, "x-client-name": DEFAULT_SYSTEM_NAME };
}

/** Source: https://docs.cohere.com/reference/list-models */
async function listModels(
  address: string,
  headers: Readonly<Record<string, string>>,
  getJson: GetJson,
): Promise<readonly string[]> {
  const names = new Set<string>();
  const url = new URL(address);
  url.searchParams.set("page_size", String(MODELS_PER_PAGE));
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { models, next_page_token: next } = recordOf(await getJson(url.href, headers));
    if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
    for (const model of listOf(models).map(recordOf)) if (isServed(model)) names.add(textOf(model.name));
    if (textOf(next) === "") break;
    url.searchParams.set("page_token", textOf(next));
  }
  return [...names];
}

function isServed({ name, endpoints }: JsonRecord): boolean {
  return textOf(name) !== "" && listOf(endpoints).some((endpoint) => SERVED.has(endpoint));
}
