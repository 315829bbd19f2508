import type { ChannelConnection, GetJson } from "@one-api/contract/channel-connection";
import type { ChannelType } from "@one-api/contract/channel-types";
import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import type { ProviderFormat } from "../format.ts";
import { cohereChat, cohereEmbeddings } from "../formats/cohere/cohere.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Provider, Service } from "../provider.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** What of Cohere's models can be asked here. */
const SERVED: ReadonlySet<unknown> = new Set(["chat", "embed"]);
const MODELS_PER_PAGE = 1_000;
const MAX_PAGES = 10;

/** Cohere by version 2 of its own API. Source: https://docs.cohere.com/reference/about */
export function cohere(type: ChannelType): Provider {
  // What people paste may end with `/v1`, which is the older API's.
  const urlOf = (connection: ChannelConnection, path: string) =>
    appendPath(withoutVersion(baseUrlOf(type, connection)), path);
  const serviceOf = (format: ProviderFormat, path: string): Service => ({
    format,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: urlOf(connection, path), headers: headersOf(connection) },
      body,
    }),
  });
  const services = {
    "chat-completions": serviceOf(cohereChat, "/v2/chat"),
    embeddings: serviceOf(cohereEmbeddings, "/v2/embed"),
  } as const;
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) =>
      endpoint === "chat-completions" || endpoint === "embeddings" ? services[endpoint] : undefined,
    async listModels(connection: ChannelConnection, getJson: GetJson) {
      const names = new Set<string>();
      let page: string | undefined = "";
      for (let read = 0; read < MAX_PAGES && page !== undefined; read += 1) {
        const url = new URL(urlOf(connection, "/v1/models"));
        url.searchParams.set("page_size", String(MODELS_PER_PAGE));
        if (page !== "") url.searchParams.set("page_token", page);
        const { models, next_page_token: next } = recordOf(await getJson(url.href, headersOf(connection)));
        if (!Array.isArray(models)) throw new Error("The provider's answer holds no list of models.");
        for (const model of listOf(models).map(recordOf)) if (isServed(model)) names.add(textOf(model.name));
        page = textOf(next) || undefined;
      }
      return [...names];
    },
  };
}

/** The key, and who calls, by which Cohere tells integrations apart. */
function headersOf({ key }: ChannelConnection): Record<string, string> {
  return { authorization: `Bearer ${key}`, "x-client-name": DEFAULT_SYSTEM_NAME };
}

function isServed({ name, endpoints }: JsonRecord): boolean {
  return textOf(name) !== "" && listOf(endpoints).some((endpoint) => SERVED.has(endpoint));
}
