import type { DialectUrls } from "@one-api/contract/channels/channel-json";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { AppError } from "../../core/app-error.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";

/** Checks the address of a channel. Loopback and private addresses are allowed. Throws refusals with the fix. */
export function checkBaseUrl(type: number, baseUrl: string): void {
  const isNeeded = channelTypeInfo(type)?.needsBaseUrl === true;
  if (baseUrl === "" && !isNeeded) return;
  if (!URL.canParse(baseUrl)) {
    const name = typeName(type);
    const why = isNeeded ? `channels of type ${name} have no address of their own` : "the stored one is no address";
    const values = { type: name };
    throw new AppError("channel-base-url-missing", `Fill in base_url: ${why}.`, { field: "base_url", values });
  }
  checkAddress(baseUrl, "base_url");
}

export function checkDialectUrls(urls: DialectUrls): void {
  for (const url of Object.values(urls)) if (url !== undefined) checkAddress(url, "dialect_urls");
}

type AddressField = "base_url" | "dialect_urls";

/** Checks an address that receives the channel's key. Throws refusals with the fix. */
function checkAddress(address: string, field: AddressField): void {
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") {
    const fix = `${field} must not carry a user name or password. Put the secret into the key.`;
    throw new AppError("channel-base-url-login", fix, { field });
  }
  if (/[?#]/.test(address)) {
    const fix = `${field} must end before ? and #: the gateway appends the path of each call.`;
    throw new AppError("channel-base-url-query", fix, { field });
  }
  if (isMetadataHost(url.hostname)) {
    const fix = `${field} must not lead to a link-local or cloud metadata address. Use the address of a model provider.`;
    throw new AppError("channel-base-url-metadata", fix, { field });
  }
}

function typeName(type: number): string {
  return `${type} (${channelTypeInfo(type)?.label ?? "unknown"})`;
}
