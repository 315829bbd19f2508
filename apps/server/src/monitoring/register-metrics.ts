import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../core/app-error.ts";
import type { Metrics } from "../monitoring/create-metrics.ts";
import { isLoopbackHost } from "../platform/network/loopback-host.ts";

const METRICS_PATH = "/metrics";

const FORWARDING_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

export interface MetricsAccess {
  readonly metrics: Pick<Metrics, "read" | "contentType">;
  readonly token: string;
  /** Without a token every client may read, not only this machine. */
  readonly isOpen: boolean;
}

/**
 * Registers `GET /metrics` in the text format of Prometheus. With METRICS_TOKEN it needs that bearer token; else, unless it is open, it answers
 * direct requests from this machine alone. Throws `not-logged-in` and `not-allowed`.
 */
export function registerMetrics(app: FastifyInstance, { metrics, token, isOpen }: MetricsAccess): void {
  app.route({
    method: ["GET", "HEAD"],
    url: METRICS_PATH,
    handler: async (request, reply) => {
      if (token !== "") checkToken(request, token);
      else if (!isOpen) checkOrigin(request);
      return reply
        .header("cache-control", "no-store")
        .type(metrics.contentType)
        .send(await metrics.read());
    },
  });
}

function checkToken({ headers }: FastifyRequest, token: string): void {
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  if (!isSameText(given, token))
    throw new AppError("not-logged-in", "Send the token of METRICS_TOKEN as a bearer token.");
}

function checkOrigin({ ip, headers }: FastifyRequest): void {
  if (isLoopbackHost(ip) && FORWARDING_HEADERS.every((name) => headers[name] === undefined)) return;
  throw new AppError(
    "not-allowed",
    "Metrics are for this machine alone. Set METRICS_TOKEN to read them from elsewhere.",
  );
}

function isSameText(given: string, expected: string): boolean {
  const digestOf = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digestOf(given), digestOf(expected));
}
