import Fastify from "fastify";
import type { AppDeps } from "../app.ts";
import type { Config } from "../config.ts";
import { registerMetrics } from "./register-metrics.ts";
import { replyWithError } from "../http/reply-with-error.ts";
import { listenForMetrics } from "../listen.ts";

/**
 * Serves the metrics on the port of METRICS_PORT, if it is set; each further worker on the next one. Throws StartError with the variable to change.
 */
export async function serveMetrics(
  { deps }: { readonly deps: Pick<AppDeps, "metrics"> },
  { metricsServer, metricsToken }: Pick<Config, "metricsServer" | "metricsToken">,
  worker = 1,
): Promise<void> {
  if (metricsServer === undefined) return;
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setErrorHandler(replyWithError);
  registerMetrics(app, { metrics: deps.metrics, token: metricsToken, isOpen: true });
  const { port, host } = metricsServer;
  await listenForMetrics(app, { port: port === 0 ? 0 : port + worker - 1, host });
  app.server.unref();
}
