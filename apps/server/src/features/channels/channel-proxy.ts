import { hasProxyLogin, hideProxyLogin, isProxyLoginHidden } from "@one-api/contract/channels/channel-proxy";
import { AppError } from "../../core/app-error.ts";
import type { Secrets } from "../../core/secrets.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";

export interface StoredProxy {
  readonly proxy: string;
  readonly proxy_cipher: string;
}

/** Throws `channel-proxy-metadata`, and `channel-proxy-login` for a hidden login. */
export function checkProxy(typed: string): void {
  if (isProxyLoginHidden(typed)) {
    const message = "proxy: type the user name and password again, as the address has changed.";
    throw new AppError("channel-proxy-login", message, { field: "proxy" });
  }
  if (URL.canParse(typed) && isMetadataHost(new URL(typed).hostname)) {
    const message = "proxy must not lead to a link-local or cloud metadata address. Name another server.";
    throw new AppError("channel-proxy-metadata", message, { field: "proxy" });
  }
}

/** Seals the login of a valid proxy. Throws as `checkProxy`. */
export function storeProxy(typed: string, secrets: Secrets): StoredProxy {
  checkProxy(typed);
  return {
    proxy: hideProxyLogin(typed),
    proxy_cipher: hasProxyLogin(typed) ? secrets.seal("channel-proxy", typed) : "",
  };
}

/** Returns the proxy to store: the one before if `typed` is absent or the text that answers show. Throws as `storeProxy`. */
export function editProxy(before: StoredProxy, typed: string | undefined, secrets: Secrets): StoredProxy {
  return typed === undefined || typed === before.proxy ? before : storeProxy(typed, secrets);
}

/** Returns the proxy with its login. Throws if that cannot be decrypted. */
export function openProxy({ proxy, proxy_cipher }: StoredProxy, secrets: Secrets, place: string): string {
  return proxy_cipher === "" ? proxy : secrets.open("channel-proxy", proxy_cipher, place);
}
