import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import type { BatchApi } from "../batch-api.ts";
import type { Format, ProviderFormat } from "../format.ts";
import { needsResponses, responsesOnlyOf } from "../model-facts/api-facts.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Endpoint, Provider, ProviderRequest, Service, UpstreamAddress } from "../provider.ts";
import { listOf, recordOf, textOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, hasVersion } from "../shared/upstream-url.ts";
import { OPENAI, type OpenAiChatVariant } from "../protocols/openai-chat/openai-chat-variant.ts";
import { openAiChat } from "../protocols/openai-chat/openai-chat.ts";
import { openAiResponses } from "../protocols/openai-responses/openai-responses.ts";
import { openAiImages } from "../protocols/openai/images.ts";
import { openAiFormat } from "../protocols/openai/openai-format.ts";
import { openAiRealtime } from "../protocols/openai/realtime.ts";
import { openAiRecordings } from "../protocols/openai/recordings.ts";
import { openAiSpeech } from "../protocols/openai/speech.ts";
import { rerank } from "../protocols/rerank/rerank.ts";

export type OpenAiEndpoint = Exclude<Endpoint, "token-counts" | "responses" | "realtime" | "live">;

export const ENDPOINT_PATHS: Readonly<Record<OpenAiEndpoint, string>> = {
  "chat-completions": "/chat/completions",
  completions: "/completions",
  embeddings: "/embeddings",
  moderations: "/moderations",
  "image-generations": "/images/generations",
  "image-edits": "/images/edits",
  "image-variations": "/images/variations",
  speech: "/audio/speech",
  transcriptions: "/audio/transcriptions",
  translations: "/audio/translations",
  rerank: "/rerank",
};

const ALL_ENDPOINTS: readonly OpenAiEndpoint[] = [
  "chat-completions",
  "completions",
  "embeddings",
  "moderations",
  "image-generations",
  "image-edits",
  "image-variations",
  "speech",
  "transcriptions",
  "translations",
  "rerank",
];

export const SOUND_ENDPOINTS = ["speech", "transcriptions", "translations"] as const;

export interface Account {
  readonly base: URL;
  readonly connection: ChannelConnection;
}

/** Format of a provider: exactly one that callers use, or one that needs translation. */
export type SpokenFormat =
  | { readonly exact: true; readonly format: Format }
  | { readonly exact: false; readonly format: ProviderFormat };

type SessionAddress = (model: string, account: Account) => UpstreamAddress;

type RerankWay = SpokenFormat & {
  /** Default: `/rerank` after the version. */
  readonly url?: (connection: ChannelConnection) => string;
};

export interface OpenAiCompatibleOptions {
  readonly endpoints?: readonly OpenAiEndpoint[];
  readonly chat?: Partial<OpenAiChatVariant>;
  /** Chat differences of servers at other base addresses than the provider's own. */
  readonly chatElsewhere?: Partial<OpenAiChatVariant>;
  readonly realtime?: SessionAddress;
  /** The Responses API and stored objects: always, or where the function returns an address for the path after the version. */
  readonly responses?: true | ((path: string, connection: ChannelConnection) => UpstreamAddress | undefined);
  /** Without `responses`, the provider stores files of batches only. */
  readonly batches?: BatchApi;
  readonly rerank?: (model: string) => RerankWay;
  /** Pictures in its own format, with all or some models; `edits`: edits of pictures use the same path. */
  readonly pictures?: {
    readonly format: ProviderFormat;
    readonly edits: boolean;
    readonly isMadeBy?: (model: string) => boolean;
  };
  readonly embeddings?: ProviderFormat;
  /** Shortest billed length of a recording, in seconds. */
  readonly leastSeconds?: number;
  /** False where the chat is only similar to OpenAI's, so that answers are translated. */
  readonly exact?: false;
  /** Prefix of every path unless the base address names a version. Default: `/v1`. */
  readonly versionPath?: string;
  readonly path?: (endpoint: OpenAiEndpoint) => string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces all addresses and headers. */
  readonly address?: (endpoint: OpenAiEndpoint, model: string, account: Account) => UpstreamAddress;
  readonly body?: (request: ProviderRequest, model: string, account: Account) => Buffer;
  readonly balance?: (account: Account, getJson: GetJson, now: Date) => Promise<number>;
  /** Default: `GET /models`, as at OpenAI. `none`: the provider has no list. */
  readonly listModels?: "none" | ((account: Account, getJson: GetJson) => Promise<readonly string[]>);
}

/**
 * Creates a provider of OpenAI's format. URL: base address, version (unless the base names one), endpoint path. The key is a bearer token.
 * Source: https://platform.openai.com/docs/api-reference/authentication
 */
export function openAiCompatible(type: ChannelType, options: OpenAiCompatibleOptions): Provider {
  const { balance, batches, responses } = options;
  const places = placesOf(type, options);
  const { accountOf } = places;
  const ask = options.listModels ?? places.listModels;
  return {
    type,
    serve: createServe(type, options, places),
    models: modelsOfType(type),
    ...((responses ?? batches) !== undefined && {
      storedObjectAddress: (connection, objectPath) => places.stored(objectPath, connection),
    }),
    ...(batches && { batches }),
    ...(responses === undefined && batches && { storesOnlyBatches: true }),
    ...(balance && { balance: (connection, getJson, now) => balance(accountOf(connection), getJson, now) }),
    ...(ask !== "none" && { listModels: (connection, getJson) => ask(accountOf(connection), getJson) }),
  };
}

interface Places {
  readonly accountOf: (connection: ChannelConnection) => Account;
  readonly isOwn: (connection: ChannelConnection) => boolean;
  readonly endpoint: (endpoint: OpenAiEndpoint, model: string, account: Account) => UpstreamAddress;
  readonly ranking: (connection: ChannelConnection, ownUrl: RerankWay["url"]) => UpstreamAddress;
  /** Returns the address of a stored object by its path; undefined where the channel's API stores none. */
  readonly stored: (objectPath: string, connection: ChannelConnection) => UpstreamAddress | undefined;
  readonly listModels: (account: Account, getJson: GetJson) => Promise<readonly string[]>;
}

function placesOf(type: ChannelType, options: OpenAiCompatibleOptions): Places {
  const { address, responses, versionPath = "/v1", path = (endpoint) => ENDPOINT_PATHS[endpoint] } = options;
  const versioned = (base: URL, rest: string) => appendPath(base, (hasVersion(base) ? "" : versionPath) + rest);
  const headersOf = (connection: ChannelConnection) => ({ ...bearerHeaders(connection), ...options.headers });
  return {
    accountOf: (connection) => ({ base: baseUrlOf(type, connection), connection }),
    isOwn: ({ baseUrl }) => hostOf(effectiveBaseUrl(type, baseUrl)) === hostOf(effectiveBaseUrl(type, "")),
    endpoint:
      address ??
      ((endpoint, _model, { base, connection }) => ({
        url: versioned(base, path(endpoint)),
        headers: headersOf(connection),
      })),
    ranking: (connection, ownUrl) => ({
      url: ownUrl?.(connection) ?? versioned(baseUrlOf(type, connection), ENDPOINT_PATHS.rerank),
      headers: headersOf(connection),
    }),
    stored(objectPath, connection) {
      if (typeof responses === "function") return responses(objectPath, connection);
      return { url: versioned(baseUrlOf(type, connection), objectPath), headers: headersOf(connection) };
    },
    listModels: async ({ base, connection }, getJson) =>
      readModelNames(await getJson(versioned(base, "/models"), bearerHeaders(connection))),
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "";
}

function createServe(type: ChannelType, options: OpenAiCompatibleOptions, places: Places): Provider["serve"] {
  const serve = createUsualServe(type, options, places);
  const { responses } = options;
  return (endpoint, model, _switches, channel) => {
    const needed = endpoint === "chat-completions" ? responsesOnlyOf(model) : "never";
    if (endpoint !== "responses" && needed === "never") return serve(endpoint, model, channel);
    const hasResponses =
      responses === true || (responses && channel && places.stored("/responses", channel) !== undefined);
    if (!hasResponses) return serve(endpoint, model, channel);
    const byResponses = responsesService(places);
    const service = needed === "always" || endpoint === "responses" ? undefined : serve(endpoint, model, channel);
    if (service === undefined) return byResponses;
    return { ...service, byTools: (toolReasoning) => (needsResponses(model, toolReasoning) ? byResponses : undefined) };
  };
}

function responsesService(places: Places): Service {
  return serviceAt({ format: openAiResponses, exact: true }, (connection) => {
    const address = places.stored("/responses", connection);
    if (address === undefined) throw new Error("The channel's API has no responses: name a newer version.");
    return address;
  });
}

function createUsualServe(type: ChannelType, options: OpenAiCompatibleOptions, places: Places) {
  const { accountOf } = places;
  const chat = { ...options.chat, origin: String(type) };
  const own = formatsOf(chat);
  const elsewhere = options.chatElsewhere && formatsOf({ ...chat, ...options.chatElsewhere });
  const endpoints: readonly Endpoint[] = options.endpoints ?? ALL_ENDPOINTS;
  return (endpoint: Endpoint, model: string, channel?: ChannelConnection): Service | undefined => {
    const formats = elsewhere !== undefined && channel !== undefined && !places.isOwn(channel) ? elsewhere : own;
    if (endpoint === "realtime") return options.realtime && sessionService(options.realtime, model, accountOf);
    if (endpoint === "rerank" && options.rerank !== undefined) return rankingService(options.rerank(model), places);
    const inOwnWords = formatOfItsOwn(endpoint, model, options);
    if (inOwnWords !== undefined) {
      const asked = endpoint === "embeddings" ? endpoint : "image-generations";
      return serviceAt({ format: inOwnWords, exact: false }, (connection) =>
        places.endpoint(asked, model, accountOf(connection)),
      );
    }
    if (!isOpenAis(endpoint) || !endpoints.includes(endpoint)) return undefined;
    const exact = endpoint !== "chat-completions" || (options.exact ?? true);
    const service = serviceAt({ format: formats[endpoint], exact }, (connection) =>
      places.endpoint(endpoint, model, accountOf(connection)),
    );
    const { body, leastSeconds } = options;
    if (leastSeconds !== undefined && formats[endpoint].medium === "recording") return { ...service, leastSeconds };
    if (body === undefined || formats[endpoint].medium !== undefined) return service;
    return {
      ...service,
      call: (request, connection, io) =>
        service.call({ ...request, body: body(request, model, accountOf(connection)) }, connection, io),
    };
  };
}

function rankingService({ url, ...way }: RerankWay, places: Places): Service {
  return { ...way, call: ({ body }, connection) => ({ address: places.ranking(connection, url), body }) };
}

function isOpenAis(endpoint: Endpoint): endpoint is OpenAiEndpoint {
  return endpoint in ENDPOINT_PATHS;
}

export const openAiSessions: SessionAddress = (model, { base, connection }) => {
  const url = new URL(appendPath(base, `${hasVersion(base) ? "" : "/v1"}/realtime`));
  url.searchParams.set("model", model);
  return { url: url.href, headers: bearerHeaders(connection) };
};

function sessionService(
  address: SessionAddress,
  model: string,
  accountOf: (connection: ChannelConnection) => Account,
): Service {
  return {
    format: openAiRealtime,
    exact: true,
    call({ body, formatHeaders }, connection) {
      const { url, headers } = address(model, accountOf(connection));
      return { address: { url, headers: { ...formatHeaders, ...headers } }, body };
    },
  };
}

function formatsOf(chat: Partial<OpenAiChatVariant>): Readonly<Record<OpenAiEndpoint, Format>> {
  const { streamUsage } = { ...OPENAI, ...chat };
  const plain = { limitField: "max_tokens", streamUsage } as const;
  return {
    "chat-completions": openAiChat(chat),
    completions: openAiFormat("openai-completions", plain),
    embeddings: openAiFormat("openai-embeddings", plain),
    rerank,
    moderations: openAiFormat("openai-moderations", plain),
    "image-generations": openAiImages,
    "image-edits": openAiImages,
    "image-variations": openAiImages,
    speech: openAiSpeech,
    transcriptions: openAiRecordings,
    translations: openAiRecordings,
  };
}

function formatOfItsOwn(
  endpoint: Endpoint,
  model: string,
  { pictures, embeddings }: OpenAiCompatibleOptions,
): ProviderFormat | undefined {
  if (endpoint === "embeddings") return embeddings;
  const isMade = endpoint === "image-generations" || (endpoint === "image-edits" && pictures?.edits === true);
  return isMade && pictures?.isMadeBy?.(model) !== false ? pictures?.format : undefined;
}

/**
 * Service whose address depends on the channel alone. The address is cached per connection, and a channel that is read again has a new
 * connection.
 */
function serviceAt(spoken: SpokenFormat, address: (connection: ChannelConnection) => UpstreamAddress): Service {
  const known = new WeakMap<ChannelConnection, UpstreamAddress>();
  return {
    ...spoken,
    call({ body, contentType }, connection) {
      const found = known.get(connection) ?? address(connection);
      known.set(connection, found);
      return { address: found, body, contentType };
    },
  };
}

export function bearerHeaders(connection: ChannelConnection): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${connection.key}` };
  if (connection.organization !== "") {
    headers["openai-organization"] = connection.organization;
  }
  return headers;
}

/**
 * Returns the distinct names in OpenAI's `{data: [{id}]}` or the bare list of together.ai. Throws without a list: an error with status 200 is
 * no empty account.
 */
export function readModelNames(answer: unknown): readonly string[] {
  const list = Array.isArray(answer) ? answer : recordOf(answer).data;
  if (!Array.isArray(list)) {
    throw new Error("The provider's answer holds no list of models.");
  }
  const names = listOf(list).map((model) => textOf(recordOf(model).id).trim());
  return [...new Set(names.filter((name) => name !== ""))];
}
