import type { Agent as HttpAgent } from "node:http";
import { HttpsProxyAgent } from "https-proxy-agent";
import { SocksProxyAgent } from "socks-proxy-agent";
import { type Agent, type Dispatcher, ProxyAgent, Socks5ProxyAgent } from "undici";
import { checkedConnector, lookUpChecked } from "./checked-connector.ts";

/** Longest wait for a connection, DNS and TLS included, in ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Builds a client whose calls go through the HTTP or SOCKS proxy at that address, by a tunnel to every target. The proxy's name may lead to no link-local address. */
export function createProxyClient(proxy: string, options: Agent.Options = {}): Dispatcher {
  const connectTimeout = CONNECT_TIMEOUT_MS;
  if (proxy.startsWith("socks")) {
    // The library leaves names to a SOCKS proxy in any case, which is what the h asks for. With `proxyTls` it would speak TLS to the proxy.
    const address = proxy.replace(/^socks5h:/, "socks5:");
    return new Socks5ProxyAgent(address, { ...options, connectTimeout, connect: checkedConnector(connectTimeout) });
  }
  const proxyTls = { lookup: lookUpChecked, timeout: connectTimeout };
  // A tunnel for http:// targets, too: else the proxy receives every header, keys included, as its own request.
  return new ProxyAgent({ ...options, uri: proxy, connectTimeout, proxyTls, proxyTunnel: true });
}

/** Builds what Node's own client opens a connection with that is to go through the proxy: every target is reached by a tunnel. */
export function createProxyAgent(proxy: string): HttpAgent {
  const timeout = CONNECT_TIMEOUT_MS;
  if (!proxy.startsWith("socks")) return new HttpsProxyAgent(proxy, { timeout, lookup: lookUpChecked });
  // Names are left to the proxy in any case, as by the other client.
  const address = proxy.replace(/^socks5:/, "socks5h:");
  return new SocksProxyAgent(address, { timeout, socketOptions: { lookup: lookUpChecked } });
}
