import type { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";

/** Returns the network address that a request comes from. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Builds the reader of addresses: behind trusted proxies the nearest hop that is none of them, else the connection's own. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? "";
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, isTrusted);
}
