import proxyAddress from "@fastify/proxy-addr";
import type { FastifyRequest } from "fastify";

type BasePathOf = (request: Pick<FastifyRequest, "headers" | "socket">) => string;

const PREFIX = /^(?:\/[\w.~-]+)+$/;
const LONGEST_PREFIX = 200;

/**
 * Builds the path under which a browser sees the gateway: `X-Forwarded-Prefix` of a trusted proxy, else the configured
 * base path. Both are without a trailing slash.
 */
export function createShownBasePath(trustedProxies: readonly string[], configured: string): BasePathOf {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const prefix = headers["x-forwarded-prefix"];
    if (typeof prefix !== "string" || !isTrusted(socket.remoteAddress ?? "", 0)) return configured;
    const path = prefix.replace(/\/$/, "");
    return path.length <= LONGEST_PREFIX && PREFIX.test(path) ? path : configured;
  };
}
