import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, effectiveOther } from "@one-api/contract/channels/channel-types";
import {
  type Account,
  ENDPOINT_PATHS,
  openAiCompatible,
  type OpenAiEndpoint,
  readModelNames,
  SOUND_ENDPOINTS,
} from "../../builders/openai-compatible.ts";
import { openAiBatches } from "../../batch-api.ts";
import type { Provider, ProviderRequest, UpstreamAddress } from "../../provider.ts";
import { listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { appendPath } from "../../shared/upstream-url.ts";

/** The last API version whose data plane lists the deployments of a resource. */
const DEPLOYMENTS_API_VERSION = "2022-12-01";

const V1_PATH = /\/openai\/v1\/*$/;

/**
 * Azure OpenAI: a deployment with the model's name, or the v1 API for an address that ends with `/openai/v1`.
 * Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
export function azure(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: [
      "chat-completions",
      "completions",
      "embeddings",
      "image-generations",
      "image-edits",
      ...SOUND_ENDPOINTS,
    ],
    // API versions before 2024-09-01-preview refuse `stream_options`; `body` adds them for newer ones.
    chat: { streamUsage: "always" },
    address: (endpoint, model, { base, connection }) => ({
      url: V1_PATH.test(base.pathname)
        ? appendPath(base, ENDPOINT_PATHS[endpoint])
        : deploymentUrl(base, endpoint, model, apiVersion(type, connection)),
      headers: { "api-key": connection.key },
    }),
    realtime: (model, { base, connection }) => ({
      url: V1_PATH.test(base.pathname)
        ? withQuery(appendPath(base, "/realtime"), { model })
        : withQuery(appendPath(base, "/openai/realtime"), {
            "api-version": apiVersion(type, connection),
            deployment: model,
          }),
      headers: { "api-key": connection.key },
    }),
    responses: (path, connection) => storedAddress(type, path, connection),
    // A deployment's name does not reveal its model. Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch
    batches: openAiBatches(() => 0.5),
    body: (request, _model, account) => (knowsStreamOptions(type, account) ? askForUsage(request) : request.body),
    listModels: listDeployments,
  });
}

const USAGE_FIELD = Buffer.from(',"stream_options":{"include_usage":true}');

/** First version with `stream_options`. */
const STREAM_OPTIONS_SINCE = "2024-09-01";

function knowsStreamOptions(type: number, { base, connection }: Account): boolean {
  return V1_PATH.test(base.pathname) || apiVersion(type, connection) >= STREAM_OPTIONS_SINCE;
}

/**
 * Requests usage at the end of a stream; callers do not receive it unrequested. An absent field is inserted before the
 * last brace, without parsing the body.
 */
function askForUsage({ body, stream }: ProviderRequest): Buffer {
  if (!stream || body.includes('"stream_options"')) return body;
  const end = body.lastIndexOf("}");
  return Buffer.concat([body.subarray(0, end), USAGE_FIELD, body.subarray(end)]);
}

function apiVersion(type: number, { config, other }: ChannelConnection): string {
  return config.api_version || effectiveOther(type, other);
}

/** First version with the Responses API. Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses */
const RESPONSES_SINCE = "2025-03-01-preview";

/**
 * Returns the address of stored answers and files, which belong to the resource and not to a deployment; undefined where the channel's version
 * has none.
 */
function storedAddress(type: number, path: string, connection: ChannelConnection): UpstreamAddress | undefined {
  if (!URL.canParse(connection.baseUrl)) return undefined;
  const base = new URL(connection.baseUrl);
  const headers = { "api-key": connection.key };
  if (V1_PATH.test(base.pathname)) return { url: appendPath(base, path), headers };
  const version = apiVersion(type, connection);
  if (isGateway(base) || version < RESPONSES_SINCE) return undefined;
  const url = new URL(appendPath(base, `/openai${path}`));
  url.searchParams.set("api-version", version);
  return { url: url.href, headers };
}

/** Addresses of Cloudflare's AI gateway contain resource and deployment directly after its own path. */
function isGateway(base: URL): boolean {
  return base.hostname === "gateway.ai.cloudflare.com";
}

function deploymentUrl(base: URL, endpoint: OpenAiEndpoint, model: string, version: string): string {
  const prefix = isGateway(base) ? "" : "/openai/deployments";
  return withQuery(appendPath(base, `${prefix}/${encodeURIComponent(model)}${ENDPOINT_PATHS[endpoint]}`), {
    "api-version": version,
  });
}

function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

/** Lists the deployments, whose names requests use; unfinished and failed ones are omitted. */
async function listDeployments({ base, connection }: Account, getJson: GetJson): Promise<readonly string[]> {
  if (isGateway(base)) {
    throw new Error("Cloudflare's AI gateway does not list the deployments behind it: compare them at Azure.");
  }
  const resource = new URL(base);
  resource.pathname = base.pathname.replace(V1_PATH, "");
  const url = new URL(appendPath(resource, "/openai/deployments"));
  url.searchParams.set("api-version", DEPLOYMENTS_API_VERSION);
  const answer = recordOf(await getJson(url.href, { "api-key": connection.key }));
  const isReady = (deployment: unknown) => ["", "succeeded"].includes(textOf(recordOf(deployment).status));
  return readModelNames(Array.isArray(answer.data) ? { data: listOf(answer.data).filter(isReady) } : answer);
}
