import { type Agent, type Dispatcher, ProxyAgent } from "undici";
import { lookUpChecked } from "./checked-connector.ts";

/** Longest wait for a connection, DNS and TLS included, in ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Builds a client whose calls go through the HTTP or SOCKS proxy at that address. The proxy's name may lead to no link-local address. */
export function createProxyClient(proxy: string, options: Agent.Options = {}): Dispatcher {
  // The library leaves names to a SOCKS proxy in any case, which is what the h asks for.
  const uri = proxy.replace(/^socks5h:/, "socks5:");
  const proxyTls = { lookup: lookUpChecked, timeout: CONNECT_TIMEOUT_MS };
  return new ProxyAgent({ ...options, uri, connectTimeout: CONNECT_TIMEOUT_MS, proxyTls });
}
