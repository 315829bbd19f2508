import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import type { ErrorCode } from "@one-api/contract/error-codes";
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
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw wrong(
      "channel-base-url-login",
      "base_url must not carry a user name or password. Put the secret into the key.",
    );
  }
  if (/[?#]/.test(baseUrl)) {
    throw wrong(
      "channel-base-url-query",
      "base_url must end before ? and #: the gateway appends the path of each call.",
    );
  }
  if (isMetadataHost(url.hostname)) {
    throw wrong(
      "channel-base-url-metadata",
      "base_url must not lead to a link-local or cloud metadata address. Use the address of a model provider.",
    );
  }
}

function typeName(type: number): string {
  return `${type} (${channelTypeInfo(type)?.label ?? "unknown"})`;
}

function wrong(code: ErrorCode, message: string): AppError {
  return new AppError(code, message, { field: "base_url" });
}
