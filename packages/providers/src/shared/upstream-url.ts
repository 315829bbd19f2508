import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { effectiveBaseUrl, type ChannelType } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../failure.ts";

/** Returns the channel's own address, else the default of its type and key. Throws UncallableChannelError without a valid address. */
export function baseUrlOf(type: ChannelType, connection: ChannelConnection): URL {
  const text = effectiveBaseUrl(type, connection.baseUrl, connection.key);
  if (!URL.canParse(text)) throw new UncallableChannelError("base-url");
  return new URL(text);
}

/** Appends segments to the path of a base address; its query stays. */
export function appendPath(base: URL, path: string): string {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  url.hash = "";
  return url.href;
}

const namesVersion = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/openai)?\/*$/;

/**
 * True when a base address already contains the API version, as users paste it: `/v1`, `/api/v3`, `/v1beta/openai`. Addresses of Cloudflare's
 * AI gateway (`/v1/account/gateway/openai`) always do.
 */
export function hasVersion(base: URL): boolean {
  return base.hostname === "gateway.ai.cloudflare.com" || namesVersion.test(base.pathname);
}

/** Removes the version at the end, for endpoints outside of the versioned API. */
export function withoutVersion(base: URL): URL {
  const root = new URL(base);
  root.pathname = base.pathname.replace(namesVersion, "");
  return root;
}
