import { IncomingMessage } from "node:http";
import proxyAddress from "@fastify/proxy-addr";
import type { CallerRequest } from "./caller-exchange.ts";

/** Returns the network address that a request comes from. */
export type ClientAddress = (request: Pick<CallerRequest, "headers" | "socket">) => string;

/** Builds the reader of addresses: behind trusted proxies the nearest hop that is none of them, else the connection's own. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? "";
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ socket, headers }) => {
    // The library takes Node's own requests alone.
    const asked = new IncomingMessage(socket);
    asked.headers = headers;
    return proxyAddress(asked, isTrusted);
  };
}
