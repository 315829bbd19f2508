import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { AppError } from "../core/app-error.ts";
import { isLoopbackHost } from "../platform/network/loopback-host.ts";

const METRICS_PATH = "/metrics";

/** Headers by which a proxy says that a request comes from elsewhere. */
const FORWARDING_HEADERS = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/** Metrics, and the condition to read them. */
export interface Metrics {
  /** Bearer token of the monitor; empty: only this machine itself may read. */
  readonly token: string;
  /** Relayed requests: how many are in flight, and how many have ended since the start. */
  readonly active: { readonly size: number; readonly endedCount: number };
}

/**
 * Registers `GET /metrics` in Prometheus' text format. With METRICS_TOKEN it requires that bearer token; without, it answers only this machine, and
 * no proxied request. Throws `not-logged-in` and `not-allowed`.
 */
export function registerMetrics(app: FastifyInstance, { token, active }: Metrics): void {
  let registry: Registry | undefined;
  app.route({
    method: ["GET", "HEAD"],
    url: METRICS_PATH,
    handler: async (request, reply) => {
      checkMayRead(request, token);
      // At the first question: a gateway without a monitor measures nothing.
      registry ??= createRegistry(active);
      return reply
        .header("cache-control", "no-store")
        .type(registry.contentType)
        .send(await registry.metrics());
    },
  });
}

function checkMayRead({ ip, headers }: FastifyRequest, token: string): void {
  if (token !== "") {
    const given = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    if (isSameText(given, token)) return;
    throw new AppError("not-logged-in", "Send the token of METRICS_TOKEN as a bearer token.");
  }
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

function createRegistry(active: Metrics["active"]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const running: Gauge = new Gauge({
    name: "one_api_relay_requests_in_flight",
    help: "Relayed requests that are not settled yet",
    registers: [registry],
    collect: () => running.set(active.size),
  });
  const ended: Counter = new Counter({
    name: "one_api_relay_requests_total",
    help: "Relayed requests that have ended, whatever came of them",
    registers: [registry],
    collect() {
      ended.reset();
      ended.inc(active.endedCount);
    },
  });
  return registry;
}
