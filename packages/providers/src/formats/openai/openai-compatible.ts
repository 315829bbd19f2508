import type { ChannelType } from "@one-api/contract/channel-types";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Connection, Endpoint, Provider, UpstreamAddress } from "../../provider.ts";
import { appendPath, baseUrlOf, hasVersion } from "../../shared/upstream-url.ts";

/** Path of each endpoint after the version. */
export const ENDPOINT_PATHS: Readonly<Record<Endpoint, string>> = {
  "chat-completions": "/chat/completions",
  completions: "/completions",
  embeddings: "/embeddings",
  moderations: "/moderations",
};

/** Every endpoint of OpenAI's format that the gateway relays. */
export const ALL_ENDPOINTS: readonly Endpoint[] = ["chat-completions", "completions", "embeddings", "moderations"];

/** What a provider of OpenAI's format may have of its own; everything else is as OpenAI does it. */
export interface OpenAiCompatibleOptions {
  readonly endpoints?: readonly Endpoint[];
  readonly streamUsage?: Provider["streamUsage"];
  /** Stands before the endpoint's path unless the base address names a version itself. Default: `/v1`. */
  readonly versionPath?: string;
  /** Path of an endpoint after the base address, where the provider has its own. */
  readonly path?: (endpoint: Endpoint, base: URL) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly balance?: Provider["balance"];
}

/**
 * A provider that speaks OpenAI's format: the base address, a version unless the address names one, the endpoint's path, and the
 * key as a bearer token. Source: https://platform.openai.com/docs/api-reference/authentication
 */
export function openAiCompatible(type: ChannelType, options: OpenAiCompatibleOptions = {}): Provider {
  const versionPath = options.versionPath ?? "/v1";
  const path = options.path ?? ((endpoint, base) => (hasVersion(base) ? "" : versionPath) + ENDPOINT_PATHS[endpoint]);
  return {
    type,
    format: "openai",
    endpoints: options.endpoints ?? ALL_ENDPOINTS,
    streamUsage: options.streamUsage ?? "on-request",
    models: modelsOfType(type),
    ...(options.balance === undefined ? {} : { balance: options.balance }),
    address(endpoint: Endpoint, _model: string, connection: Connection): UpstreamAddress {
      const base = baseUrlOf(type, connection);
      return {
        url: appendPath(base, path(endpoint, base)),
        headers: { ...bearerHeaders(connection), ...options.headers },
      };
    },
  };
}

/** The key as a bearer token, and the organization where the channel names one. */
export function bearerHeaders(connection: Connection): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${connection.key}` };
  if (connection.organization !== "") {
    headers["openai-organization"] = connection.organization;
  }
  return headers;
}
