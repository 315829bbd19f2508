import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { deepLTranslation } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service } from "../../provider.ts";
import { listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { unversionedUrl } from "../../builders/own-api.ts";

const FREE_ADDRESS = "https://api-free.deepl.com";
const PAID_ADDRESS = "https://api.deepl.com";
/** Suffix of keys of free accounts, which have their own address. Source: https://developers.deepl.com/docs/getting-started/auth */
const FREE_KEY = /:fx$/;
const OWN_ADDRESS = /^https:\/\/api(?:-free)?\.deepl\.com(?:$|\/)/;

/** DeepL: a model is `deepl-` and any target language. */
export function deepL(type: ChannelType): Provider {
  const service: Service = {
    format: deepLTranslation,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: urlOf(type, connection, "/v2/translate"), headers: headersOf(connection) },
      body,
    }),
  };
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) => (endpoint === "chat-completions" ? service : undefined),
    listModels: (connection, getJson) => listLanguages(type, connection, getJson),
  };
}

/** The key selects one of DeepL's two addresses; any other address is the channel's own. */
function urlOf(type: ChannelType, connection: ChannelConnection, path: string): string {
  const { baseUrl, key } = connection;
  const isOwn = baseUrl !== "" && !OWN_ADDRESS.test(baseUrl);
  const base = isOwn ? baseUrl : FREE_KEY.test(key) ? FREE_ADDRESS : PAID_ADDRESS;
  return unversionedUrl(type, { ...connection, baseUrl: base }, path);
}

function headersOf({ key }: ChannelConnection): Record<string, string> {
  return { authorization: `DeepL-Auth-Key ${key}` };
}

async function listLanguages(
  type: ChannelType,
  connection: ChannelConnection,
  getJson: GetJson,
): Promise<readonly string[]> {
  const url = new URL(urlOf(type, connection, "/v2/languages"));
  url.searchParams.set("type", "target");
  const languages = await getJson(url.href, headersOf(connection));
  if (!Array.isArray(languages)) throw new Error("The provider's answer holds no list of languages.");
  const codes = listOf(languages).map((language) => textOf(recordOf(language).language).toLowerCase());
  return [...new Set(codes.filter((code) => code !== "").map((code) => `deepl-${code}`))];
}
