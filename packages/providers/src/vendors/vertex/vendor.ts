import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { geminiContent } from "../../protocols/gemini/gemini.ts";
import { geminiLive, setUpAs } from "../../protocols/gemini/live.ts";
import { geminiPictures, imagenPictures } from "../../protocols/gemini/pictures.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { vertexEmbedContent, vertexPredict } from "./embeddings.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Endpoint, Provider, ProviderRequest, Service } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { parseExact } from "../../shared/exact-numbers.ts";
import { isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import {
  accountOf,
  addressOfRegion,
  authorize,
  callAs,
  modelPath,
  plainUrl,
  projectUrl,
  sessionUrl,
  type VertexPath,
} from "./account.ts";
import { inVersion, vertexClaudeName, vertexMessages } from "./claude.ts";

/**
 * Google's Vertex AI: Gemini in Gemini's format, Claude in Anthropic's, other makers' models (`meta/llama-…`) in an OpenAI-compatible one.
 * Source: https://cloud.google.com/vertex-ai/generative-ai/docs
 */
export function vertex(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve(endpoint, model) {
      const [, publisher, name = model] = /^(google|anthropic)\/(.+)$/.exec(model) ?? [];
      if (publisher === "anthropic" || name.startsWith("claude-")) return claude(type, endpoint, name);
      if (publisher === undefined && name.includes("/")) return ofOthers(type, endpoint);
      return google(type, endpoint, name);
    },
    regionalAddress: (connection) => addressOfRegion(accountOf(type, connection)),
    listModels: (connection, getJson, io) => listModels(type, connection, getJson, io),
  };
}

const messages = vertexMessages("in-path");
const counts = vertexMessages("in-body");

function claude(type: ChannelType, endpoint: Endpoint, model: string): Service | undefined {
  // Names and paths may contain an @.
  const name = encodeURIComponent(vertexClaudeName(model)).replace("%40", "@");
  const pathOf = (method: string): VertexPath => ({ version: "v1", path: `/publishers/anthropic/models/${method}` });
  const prepare = ({ body, formatHeaders }: ProviderRequest) => {
    const { "anthropic-version": version, ...headers } = formatHeaders;
    return { body: inVersion(body, version), headers };
  };
  if (endpoint === "chat-completions") {
    const call = caller(type, ({ stream }) => pathOf(`${name}:${stream ? "streamRawPredict" : "rawPredict"}`), prepare);
    return { format: messages, exact: true, call };
  }
  if (endpoint !== "token-counts") return undefined;
  return { format: counts, exact: true, call: caller(type, () => pathOf("count-tokens:rawPredict"), prepare) };
}

const BY_EMBED_CONTENT = /^gemini-embedding-(?!001$)/;

function google(type: ChannelType, endpoint: Endpoint, model: string): Service | undefined {
  const pathOf = (method: string, query?: Readonly<Record<string, string>>): VertexPath => ({
    version: "v1beta1",
    path: `/publishers/google/models/${encodeURIComponent(model)}:${method}`,
    ...(query && { query }),
  });
  switch (endpoint) {
    case "chat-completions": {
      const streamed = pathOf("streamGenerateContent", { alt: "sse" });
      const call = caller(type, ({ stream }) => (stream ? streamed : pathOf("generateContent")));
      return { format: geminiContent, exact: true, call };
    }
    case "token-counts": {
      const call = caller(
        type,
        () => pathOf("countTokens"),
        ({ body }) => ({ body: askCount(body), headers: {} }),
      );
      return { format: geminiContent, exact: true, call };
    }
    case "embeddings": {
      if (!model.includes("embed")) return undefined;
      const isNewer = BY_EMBED_CONTENT.test(model);
      const call = caller(type, () => pathOf(isNewer ? "embedContent" : "predict"));
      return { format: isNewer ? vertexEmbedContent : vertexPredict, exact: false, call };
    }
    case "image-generations":
    case "image-edits": {
      if (!model.startsWith("imagen-")) {
        return { format: geminiPictures, exact: false, call: caller(type, () => pathOf("generateContent")) };
      }
      if (endpoint === "image-edits") return undefined;
      return { format: imagenPictures, exact: false, call: caller(type, () => pathOf("predict")) };
    }
    case "live":
      return {
        format: geminiLive,
        exact: true,
        call({ body }, connection, io) {
          const account = accountOf(type, connection);
          const setup = setUpAs(body, modelPath(account, model));
          return callAs(account, { address: { url: sessionUrl(account), headers: {} }, body: setup }, io);
        },
      };
    default:
      return undefined;
  }
}

const COUNTED = [
  "contents",
  "systemInstruction",
  "system_instruction",
  "tools",
  "generationConfig",
  "generation_config",
];

/** Vertex counts the unchanged request; Google's other API requires another name around it. */
function askCount(body: Buffer): Buffer {
  const asked = recordOf(parseExact(body.toString()));
  const nested = asked.generateContentRequest ?? asked.generate_content_request;
  const request = isRecord(nested) ? nested : asked;
  const known = Object.entries(request).filter(([name]) => COUNTED.includes(name));
  return Buffer.from(JSON.stringify(Object.fromEntries(known)));
}

const likeOpenAi = openAiChat({ limitField: "max_tokens", developerRole: false, reasoning: "none" });

/** Source: https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/llama/use-llama */
function ofOthers(type: ChannelType, endpoint: Endpoint): Service | undefined {
  if (endpoint !== "chat-completions") return undefined;
  const call = caller(type, () => ({ version: "v1", path: "/endpoints/openapi/chat/completions" }));
  return { format: likeOpenAi, exact: false, call };
}

type Prepare = (request: ProviderRequest) => { readonly body: Buffer; readonly headers: Record<string, string> };

function caller(
  type: ChannelType,
  pathOf: (request: ProviderRequest) => VertexPath,
  prepare: Prepare = ({ body }) => ({ body, headers: {} }),
): Service["call"] {
  return (request, connection, io) => {
    const account = accountOf(type, connection);
    const { body, headers } = prepare(request);
    return callAs(account, { address: { url: projectUrl(account, pathOf(request)), headers }, body }, io);
  };
}

const MAX_PAGES = 10;
const PUBLISHERS = ["google", "anthropic"] as const;
/** Google's models for chats or text embeddings. */
const SERVED = /^(?:gemini-(?!.*(?:image|live|tts|audio|omni))|text-(?:multilingual-)?embedding|claude-)/;

/**
 * Lists Google's and Anthropic's models in the model garden. Source:
 * https://cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/publishers.models/list
 */
async function listModels(
  type: ChannelType,
  connection: ChannelConnection,
  getJson: GetJson,
  io: ProviderIo,
): Promise<readonly string[]> {
  const account = accountOf(type, connection);
  const right = await authorize(account, io);
  const headers = { ...right, ...(account.project !== "" && { "x-goog-user-project": account.project }) };
  const names = new Set<string>();
  for (const publisher of PUBLISHERS) {
    for (let page = 0, next = ""; page < MAX_PAGES; page += 1) {
      const query = { pageSize: "200", ...(next !== "" && { pageToken: next }) };
      const url = plainUrl(account, { version: "v1beta1", path: `/publishers/${publisher}/models`, query });
      const answer = recordOf(await getJson(url, headers));
      for (const { name } of listOf(answer.publisherModels).map(recordOf)) {
        const model = textOf(name).replace(/^.*\/models\//, "");
        if (SERVED.test(model)) names.add(model);
      }
      next = textOf(answer.nextPageToken);
      if (next === "") break;
    }
  }
  return [...names];
}
