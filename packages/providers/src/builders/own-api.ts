import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { ProviderFormat } from "../format.ts";
import type { Provider, Service } from "../provider.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../shared/upstream-url.ts";

/** Returns a URL at a provider whose paths contain the version; one at the end of the base address is removed. Throws without a base address. */
export function unversionedUrl(type: ChannelType, connection: ChannelConnection, path: string): string {
  return appendPath(withoutVersion(baseUrlOf(type, connection)), path);
}

export interface OwnPath {
  readonly format: ProviderFormat;
  readonly path: string;
}

export function serveOwnApi(
  type: ChannelType,
  headersOf: (connection: ChannelConnection) => Record<string, string>,
  api: Readonly<Record<"chat-completions" | "embeddings", OwnPath>>,
): Provider["serve"] {
  const serviceOf = ({ format, path }: OwnPath): Service => ({
    format,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: unversionedUrl(type, connection, path), headers: headersOf(connection) },
      body,
    }),
  });
  const services = { "chat-completions": serviceOf(api["chat-completions"]), embeddings: serviceOf(api.embeddings) };
  return (endpoint) => (endpoint === "chat-completions" || endpoint === "embeddings" ? services[endpoint] : undefined);
}
