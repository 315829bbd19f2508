import { isIP } from "node:net";
import proxyAddress from "@fastify/proxy-addr";
import type { CallerRequest } from "@one-api/http1/server/caller-exchange";

/** Returns the network address that a request comes from. */
export type ClientAddress = (request: Pick<CallerRequest, "headers" | "socket">) => string;

/**
 * Builds the reader of addresses: behind trusted proxies the nearest hop of X-Forwarded-For that is none of them, else the connection's own.
 * The first hop that is no address ends the way: what stands before it nobody vouches for.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (request) => request.socket.remoteAddress ?? "";
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ socket, headers }) => {
    const hops = hopsOf(headers["x-forwarded-for"]);
    let address = socket.remoteAddress ?? "";
    for (let hop = hops.length - 1; hop >= 0 && isTrusted(address, 0); hop -= 1) {
      const next = addressOf(hops[hop] ?? "");
      if (next === undefined) break;
      address = next;
    }
    return address;
  };
}

function hopsOf(header: string | string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return (typeof header === "string" ? header : header.join(",")).split(",");
}

/** What a proxy writes for a hop, without the port that some add (`192.0.2.1:5678`, `[2001:db8::1]:443`); undefined for no address. */
function addressOf(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  return isIP(address) === 0 ? undefined : address;
}
