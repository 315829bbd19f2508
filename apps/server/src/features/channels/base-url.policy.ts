import { channelTypeInfo } from "@one-api/contract/channel-types";
import { AppError } from "../../core/app-error.ts";
import { isMetadataHost } from "../../core/metadata-addresses.ts";

/** Checks where a channel of the type sends its requests. Loopback and private addresses are fine. Throws `invalid-input` with the fix. */
export function checkBaseUrl(type: number, baseUrl: string): void {
  if (baseUrl === "") {
    if (channelTypeInfo(type)?.needsBaseUrl === true)
      throw wrong(`Fill in base_url: channels of type ${typeName(type)} have no address of their own.`);
    return;
  }
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") {
    throw wrong("base_url must not carry a user name or password. Put the secret into the key.");
  }
  if (/[?#]/.test(baseUrl)) throw wrong("base_url must end before ? and #: the gateway appends the path of each call.");
  if (isMetadataHost(url.hostname)) {
    throw wrong(
      "base_url must not lead to a link-local or cloud metadata address. Use the address of a model provider.",
    );
  }
}

function typeName(type: number): string {
  return `${type} (${channelTypeInfo(type)?.label ?? "unknown"})`;
}

function wrong(message: string): AppError {
  return new AppError("invalid-input", message, { field: "base_url" });
}
