import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { geminiEmbeddings } from "../../protocols/gemini/embeddings.ts";
import { geminiContent } from "../../protocols/gemini/gemini.ts";
import { geminiLive, setUpAs } from "../../protocols/gemini/live.ts";
import { geminiPictures } from "../../protocols/gemini/pictures.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import { type Endpoint, type Provider, type ProviderRequest, type Service, USUAL_SWITCHES } from "../../provider.ts";
import { parseExact } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { appendPath, baseUrlOf, hasVersion, withoutVersion } from "../../shared/upstream-url.ts";
import { type FileStore, uploadPictures } from "./files.ts";
import { openAiCompatible, type SpokenFormat } from "../../builders/openai-compatible.ts";

const DEFAULT_VERSION = "v1beta";
const MODELS_PER_PAGE = 1_000;

/** Google's Gemini: its own API or, by the switch, the OpenAI-compatible one. Source: https://ai.google.dev/api */
export function gemini(type: ChannelType): Provider {
  const compatible = openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings", "image-generations"],
    versionPath: `/${DEFAULT_VERSION}/openai`,
    // The API writes tool calls without an index, and excludes thoughts from completion tokens.
    exact: false,
    chat: { limitField: "max_tokens", developerRole: false, reasoning: "effort-always", thoughts: "google" },
  });
  const native = nativeServices(type);
  return {
    type,
    models: modelsOfType(type),
    serve(endpoint, model, switches = USUAL_SWITCHES) {
      // The OpenAI-compatible API makes Imagen's pictures, but edits none. Source: https://ai.google.dev/gemini-api/docs/openai
      if (endpoint === "image-generations" && IMAGEN.test(model)) return compatible.serve(endpoint, model, switches);
      const isNativeAlone = endpoint === "token-counts" || endpoint === "image-edits" || endpoint === "live";
      return switches.geminiNative || isNativeAlone
        ? native(endpoint, model, switches.geminiUpload)
        : compatible.serve(endpoint, model, switches);
    },
    async listModels(connection, getJson) {
      const url = new URL(addressOf(type, connection, "/models"));
      url.searchParams.set("pageSize", String(MODELS_PER_PAGE));
      return await readModels(getJson, url.href, connection);
    },
  };
}

const IMAGEN = /^imagen-/;

function nativeServices(type: ChannelType) {
  return (endpoint: Endpoint, model: string, uploads: boolean): Service | undefined => {
    const path = `/models/${encodeURIComponent(model)}`;
    switch (endpoint) {
      case "chat-completions": {
        const chats = serviceAt(type, { format: geminiContent, exact: true }, ({ stream }) =>
          stream ? `${path}:streamGenerateContent?alt=sse` : `${path}:generateContent`,
        );
        return uploads ? uploadingFirst(type, chats) : chats;
      }
      case "embeddings":
        return serviceAt(type, { format: geminiEmbeddings, exact: true }, ({ body }) =>
          isBatch(body) ? `${path}:batchEmbedContents` : `${path}:embedContent`,
        );
      case "token-counts": {
        const counts = serviceAt(type, { format: geminiContent, exact: true }, () => `${path}:countTokens`);
        return {
          ...counts,
          call: (request, connection, io) =>
            counts.call({ ...request, body: askCount(request, model) }, connection, io),
        };
      }
      case "image-generations":
      case "image-edits": {
        if (IMAGEN.test(model)) return undefined;
        return serviceAt(type, { format: geminiPictures, exact: false }, () => `${path}:generateContent`);
      }
      case "live":
        return {
          format: geminiLive,
          exact: true,
          call: ({ body }, connection) => ({
            address: { url: sessionUrl(type, connection), headers: keyHeaders(connection) },
            body: setUpAs(body, `models/${model}`),
          }),
        };
      default:
        return undefined;
    }
  };
}

/** Returns the address of sessions, the same for all models; the service's name contains the version. Source: https://ai.google.dev/api/live */
function sessionUrl(type: ChannelType, connection: ChannelConnection): string {
  const base = baseUrlOf(type, connection);
  const version = /\/(v\d+(?:alpha|beta)?\d*)\/*$/.exec(base.pathname)?.[1] ?? versionOf(connection);
  const service = `google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`;
  return appendPath(withoutVersion(base), `/ws/${service}`);
}

function serviceAt(type: ChannelType, spoken: SpokenFormat, pathOf: (request: ProviderRequest) => string): Service {
  const known = new WeakMap<ChannelConnection, Map<string, string>>();
  return {
    ...spoken,
    call(request, connection) {
      const path = pathOf(request);
      const urls = known.get(connection) ?? new Map<string, string>();
      known.set(connection, urls);
      const url = urls.get(path) ?? addressOf(type, connection, path);
      urls.set(path, url);
      return { address: { url, headers: keyHeaders(connection) }, body: request.body };
    },
  };
}

function uploadingFirst(type: ChannelType, service: Service): Service {
  return {
    ...service,
    async call(request, connection, io) {
      const base = withoutVersion(baseUrlOf(type, connection));
      const store: FileStore = {
        uploadUrl: appendPath(base, `/upload/${versionOf(connection)}/files`),
        fileUrl: (name) => addressOf(type, connection, `/${name}`),
        headers: keyHeaders(connection),
      };
      const body = await uploadPictures(request.body, store, io);
      return await service.call({ ...request, body }, connection, io);
    },
  };
}

function versionOf({ config, other }: ChannelConnection): string {
  return config.api_version || other || DEFAULT_VERSION;
}

/** The version is the channel's, or is in its address already. */
function addressOf(type: ChannelType, connection: ChannelConnection, path: string): string {
  const base = baseUrlOf(type, connection);
  const [bare = "", query = ""] = path.split("?");
  const url = new URL(appendPath(base, (hasVersion(base) ? "" : `/${versionOf(connection)}`) + bare));
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The key is in a header, because intermediaries log addresses. */
function keyHeaders({ key }: ChannelConnection): Record<string, string> {
  return { "x-goog-api-key": key };
}

function isBatch(body: Buffer): boolean {
  return Array.isArray(recordOf(parseJson(body.toString())).requests);
}

/** A count takes contents alone, or a whole request under another name. */
function askCount({ body }: ProviderRequest, model: string): Buffer {
  const asked: JsonRecord = recordOf(parseExact(body.toString()));
  const nested = asked.generateContentRequest ?? asked.generate_content_request;
  const request = isRecord(nested) ? nested : asked;
  if (!isRecord(nested) && Object.keys(asked).every((name) => name === "contents")) return body;
  return Buffer.from(JSON.stringify({ generateContentRequest: { ...request, model: `models/${model}` } }));
}

async function readModels(getJson: GetJson, url: string, connection: ChannelConnection): Promise<readonly string[]> {
  const answer = recordOf(await getJson(url, keyHeaders(connection)));
  if (!Array.isArray(answer.models)) throw new Error("The provider's answer holds no list of models.");
  const names = listOf(answer.models)
    .map(recordOf)
    .filter(({ supportedGenerationMethods: methods }) =>
      listOf(methods).some((method) => method === "generateContent" || method === "embedContent"),
    )
    .map(({ name }) => textOf(name).replace(/^models\//, ""));
  return [...new Set(names.filter((name) => name !== ""))];
}
