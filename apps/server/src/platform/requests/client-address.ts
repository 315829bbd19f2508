import { isIP } from "node:net";
import proxyAddress from "@fastify/proxy-addr";
import type { CallerRequest } from "@one-api/http1/server/caller-exchange";

export type ClientAddress = (request: Pick<CallerRequest, "headers" | "socket">) => string;

/**
 * Behind trusted proxies the last untrusted hop of X-Forwarded-For, else the connection's address.
 * An invalid hop ends the search, as earlier hops cannot be trusted.
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

/** Parses a hop, with or without a port (`192.0.2.1:5678`, `[2001:db8::1]:443`). Undefined for an invalid one. */
function addressOf(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  return isIP(address) === 0 ? undefined : address;
}
