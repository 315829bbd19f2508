import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { effectiveBaseUrl, type ChannelType } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../failure.ts";

/** The channel's own address, else the default one of its type and key. Throws UncallableChannelError when there is neither or it is no address. */
export function baseUrlOf(type: ChannelType, connection: ChannelConnection): URL {
  const text = effectiveBaseUrl(type, connection.baseUrl, connection.key);
  if (!URL.canParse(text)) throw new UncallableChannelError("base-url");
  return new URL(text);
}

/** Adds path segments after the path of a base address. A query of the base address stays. */
export function appendPath(base: URL, path: string): string {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  return url.href;
}

const namesVersion = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?\/*$/;

/**
 * True when the path of a base address already says which version of the API is meant, as people paste it: `/v1`, `/api/v3`,
 * `/v1beta/openai`. Addresses of Cloudflare's AI gateway (`/v1/account/gateway/openai`) always do.
 */
export function hasVersion(base: URL): boolean {
  return base.hostname === "gateway.ai.cloudflare.com" || namesVersion.test(base.pathname);
}

/** The base address without the version at its end, for questions that stand beside the versioned API. */
export function withoutVersion(base: URL): URL {
  const root = new URL(base);
  root.pathname = base.pathname.replace(namesVersion, "");
  return root;
}
