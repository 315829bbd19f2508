import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import type { BatchApi } from "../batch-api.ts";
import type { Format, ProviderFormat } from "../format.ts";
import { needsResponses, responsesOnlyOf } from "../models/api-facts.ts";
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

/** What providers of OpenAI's formats are asked for. */
export type OpenAiEndpoint = Exclude<Endpoint, "token-counts" | "responses" | "realtime" | "live">;

/** Path of each endpoint after the version. */
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

/** Every endpoint of OpenAI's format that the gateway relays. */
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

/** Where there is sound. */
export const SOUND_ENDPOINTS = ["speech", "transcriptions", "translations"] as const;

/** A channel's account at its provider. */
export interface Account {
  /** The channel's own address, else the type's. */
  readonly base: URL;
  readonly connection: ChannelConnection;
}

/** What a provider speaks, exactly or nearly. */
export type SpokenFormat =
  | { readonly exact: true; readonly format: Format }
  | { readonly exact: false; readonly format: ProviderFormat };

/** Where a provider opens sessions with a model, and with which key. */
type SessionAddress = (model: string, account: Account) => UpstreamAddress;

/** How a provider of OpenAI's format reranks, which OpenAI itself does not. */
type RerankWay = SpokenFormat & {
  /** Default: `/rerank` after the version. */
  readonly url?: (connection: ChannelConnection) => string;
};

/** What a provider of OpenAI's format may have of its own; everything else is as OpenAI does it. */
export interface OpenAiCompatibleOptions {
  readonly endpoints?: readonly OpenAiEndpoint[];
  /** How its chat differs. */
  readonly chat?: Partial<OpenAiChatVariant>;
  /** How the chat of other servers differs that channels of this type name instead of the provider's own. */
  readonly chatElsewhere?: Partial<OpenAiChatVariant>;
  /** It has sessions over a WebSocket too. */
  readonly realtime?: SessionAddress;
  /** It has the Responses API and keeps things: always, or where an account has it, by the path after the version. */
  readonly responses?: true | ((path: string, connection: ChannelConnection) => UpstreamAddress | undefined);
  /** It has batches too; without `responses` it keeps their files alone. */
  readonly batches?: BatchApi;
  /** Where it reranks in words or at a path of its own, by the model. */
  readonly rerank?: (model: string) => RerankWay;
  /** Where it makes pictures in words of its own, with all models or some; `edits`: it changes pictures too, asked at the same path. */
  readonly pictures?: {
    readonly format: ProviderFormat;
    readonly edits: boolean;
    readonly isMadeBy?: (model: string) => boolean;
  };
  /** Where it makes embeddings in words of its own. */
  readonly embeddings?: ProviderFormat;
  /** Shorter recordings are billed as of so many seconds. */
  readonly leastSeconds?: number;
  /** False where its chat only nearly is OpenAI's, so that its answers are written anew. */
  readonly exact?: false;
  /** Stands before every path unless the base address names a version itself. Default: `/v1`. */
  readonly versionPath?: string;
  /** Path of an endpoint after the version, where the provider has its own. */
  readonly path?: (endpoint: OpenAiEndpoint) => string;
  /** Headers beside the key's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the provider has addresses and headers wholly of its own. */
  readonly address?: (endpoint: OpenAiEndpoint, model: string, account: Account) => UpstreamAddress;
  /** What the request becomes where the provider wants it said in a way of its own. */
  readonly body?: (request: ProviderRequest, model: string, account: Account) => Buffer;
  readonly balance?: (account: Account, getJson: GetJson, now: Date) => Promise<number>;
  /** Default: `GET /models`, as OpenAI has it. `none`: the provider has no such list. */
  readonly listModels?: "none" | ((account: Account, getJson: GetJson) => Promise<readonly string[]>);
}

/**
 * A provider that speaks OpenAI's format: the base address, a version unless the address names one, the endpoint's path, and the
 * key as a bearer token. Source: https://platform.openai.com/docs/api-reference/authentication
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
      keeperAddress: (connection, keptPath) => places.kept(keptPath, connection),
    }),
    ...(batches && { batches }),
    ...(responses === undefined && batches && { keepsBatchesAlone: true }),
    ...(balance && { balance: (connection, getJson, now) => balance(accountOf(connection), getJson, now) }),
    ...(ask !== "none" && { listModels: (connection, getJson) => ask(accountOf(connection), getJson) }),
  };
}

/** Where the provider has what OpenAI has. */
interface Places {
  readonly accountOf: (connection: ChannelConnection) => Account;
  /** True where the channel's address is the provider's own. */
  readonly isOwn: (connection: ChannelConnection) => boolean;
  /** The address of an endpoint, with its headers. */
  readonly endpoint: (endpoint: OpenAiEndpoint, model: string, account: Account) => UpstreamAddress;
  readonly ranking: (connection: ChannelConnection, ownUrl: RerankWay["url"]) => UpstreamAddress;
  /** What the provider keeps, by its path; undefined where the channel's API has none. */
  readonly kept: (keptPath: string, connection: ChannelConnection) => UpstreamAddress | undefined;
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
    kept(keptPath, connection) {
      if (typeof responses === "function") return responses(keptPath, connection);
      return { url: versioned(baseUrlOf(type, connection), keptPath), headers: headersOf(connection) };
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
      responses === true || (responses && channel && places.kept("/responses", channel) !== undefined);
    if (!hasResponses) return serve(endpoint, model, channel);
    const byResponses = responsesService(places);
    const service = needed === "always" || endpoint === "responses" ? undefined : serve(endpoint, model, channel);
    if (service === undefined) return byResponses;
    return { ...service, byTools: (toolReasoning) => (needsResponses(model, toolReasoning) ? byResponses : undefined) };
  };
}

function responsesService(places: Places): Service {
  return serviceAt({ format: openAiResponses, exact: true }, (connection) => {
    const address = places.kept("/responses", connection);
    if (address === undefined) throw new Error("The channel's API has no responses: name a newer version.");
    return address;
  });
}

/** Serves everything but Responses. */
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

/** Sessions where OpenAI has them. */
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

/** What the provider speaks where it has words of its own for what is asked. */
function formatOfItsOwn(
  endpoint: Endpoint,
  model: string,
  { pictures, embeddings }: OpenAiCompatibleOptions,
): ProviderFormat | undefined {
  if (endpoint === "embeddings") return embeddings;
  const isMade = endpoint === "image-generations" || (endpoint === "image-edits" && pictures?.edits === true);
  return isMade && pictures?.isMadeBy?.(model) !== false ? pictures?.format : undefined;
}

/** A service whose address depends on the channel alone: a channel that is read anew has a new connection, and the old one's address goes with it. */
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

/** The key as a bearer token, and the organization where the channel names one. */
export function bearerHeaders(connection: ChannelConnection): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${connection.key}` };
  if (connection.organization !== "") {
    headers["openai-organization"] = connection.organization;
  }
  return headers;
}

/**
 * The names in a list of models, none twice: `{data: [{id}]}` as OpenAI writes it, or the bare list that together.ai sends. Throws when
 * there is no list in it, so that an error answered with a good status never passes for an account without models.
 */
export function readModelNames(answer: unknown): readonly string[] {
  const list = Array.isArray(answer) ? answer : recordOf(answer).data;
  if (!Array.isArray(list)) {
    throw new Error("The provider's answer holds no list of models.");
  }
  const names = listOf(list).map((model) => textOf(recordOf(model).id).trim());
  return [...new Set(names.filter((name) => name !== ""))];
}
