import type { Agent as HttpAgent } from "node:http";
import { HttpsProxyAgent } from "https-proxy-agent";
import { SocksProxyAgent } from "socks-proxy-agent";
import { type Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from "undici";
import { checkedConnector, lookUpChecked } from "./checked-connector.ts";
import { checkAndNoteCertificate } from "./seen-certificates.ts";

/** Timeout for a connection, including DNS and TLS. */
export const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A client that tunnels all requests through an HTTP or SOCKS proxy. The proxy's name must not resolve to a
 * link-local address.
 */
export function createProxyClient(proxy: string, options: Agent.Options = {}): Dispatcher {
  const connectTimeout = CONNECT_TIMEOUT_MS;
  const requestTls = { checkServerIdentity: checkAndNoteCertificate };
  if (proxy.startsWith("socks")) {
    // The library always lets the SOCKS proxy resolve names, which `socks5h` asks for. `proxyTls` would use
    // TLS to the proxy.
    const address = proxy.replace(/^socks5h:/, "socks5:");
    const tunnel = { connectTimeout, requestTls, connect: checkedConnector(connectTimeout) };
    return new Socks5ProxyAgent(address, { ...options, ...tunnel });
  }
  const proxyTls = { lookup: lookUpChecked, timeout: connectTimeout, ...requestTls };
  // Tunnels http:// targets too: otherwise the proxy could read every header, including keys.
  return new ProxyAgent({ ...options, uri: proxy, connectTimeout, proxyTls, requestTls, proxyTunnel: true });
}

/** An agent for node:http that tunnels all connections through the proxy. */
export function createProxyAgent(proxy: string): HttpAgent {
  const timeout = CONNECT_TIMEOUT_MS;
  if (!proxy.startsWith("socks")) return new HttpsProxyAgent(proxy, { timeout, lookup: lookUpChecked });
  // The proxy resolves names, as with the other client.
  const address = proxy.replace(/^socks5:/, "socks5h:");
  return new SocksProxyAgent(address, { timeout, socketOptions: { lookup: lookUpChecked } });
}
