import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";
import { Http1Server } from "@one-api/http1/server/http1-server";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { AppError } from "./core/app-error.ts";
import type { CallRegistry } from "./core/call-registry.ts";
import { repeatedHeader } from "./platform/requests/repeated-header.ts";
import type { CallRegistryDeps } from "./http/create-call-registry.ts";
import { withoutBasePath } from "./http/base-path.ts";
import { toOriginForm } from "./http/origin-form.ts";
import { registerConsole } from "./http/register-console.ts";
import { registerHealth } from "./http/register-health.ts";
import { registerMetrics } from "./monitoring/register-metrics.ts";
import { registerControlPlane } from "./http/register-control-plane.ts";
import { replyWithError } from "./http/reply-with-error.ts";
import { mostConnections, readOpenFileLimit, shedConnections } from "./http/shed-connections.ts";
import { httpOptions, serverOptions } from "./http/server-options.ts";
import type { Metrics } from "./monitoring/create-metrics.ts";
import { createRelayHandler, isRelayed, type RelayHandler } from "./relay/handle-relay.ts";
import { createUpgradeHandler, isSessionRequest } from "./relay/realtime/index.ts";
import type { RelayServices } from "./relay/create-relay.ts";

export interface AppDeps extends CallRegistryDeps {
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
  readonly canWrite: () => Promise<boolean>;
  readonly metrics: Metrics;
  /** Bearer token for the metrics; empty: only this machine may read them. Undefined: not on this port. */
  readonly metricsToken: string | undefined;
  readonly consoleDirectory: string;
  /** Path before all others, such as `/gateway`; empty for none. */
  readonly basePath: string;
  /** Returns the path under which the browser sees the gateway. */
  readonly shownBasePath: (request: FastifyRequest) => string;
  readonly relay: RelayServices;
  readonly registerCalls: (registry: CallRegistry) => void;
}

/**
 * Builds the HTTP server, ready to listen or for injected requests. Node serves the relay, Fastify the
 * control API and, for all other paths, the console.
 */
export function buildApp(deps: AppDeps): FastifyInstance {
  const handler = createRelayHandler(deps.relay);
  const app = Fastify({
    ...serverOptions(deps.trustedProxies, deps.log),
    serverFactory: (handleRest) => createTwoPlaneServer(handler, handleRest, deps),
  });
  app.setErrorHandler(replyWithError);
  app.addHook("onRequest", (request, _reply, done) => {
    done(refusalOfHeaders(request.raw));
  });
  registerControlPlane(app, deps, deps.registerCalls);
  registerHealth(app, { canWrite: deps.canWrite, isStopping: () => deps.relay.inFlight.isStopping });
  const { metrics, metricsToken } = deps;
  if (metricsToken !== undefined) registerMetrics(app, { metrics, token: metricsToken, isOpen: false });
  registerConsole(app, { directory: deps.consoleDirectory, basePathOf: deps.shownBasePath, options: deps.options });
  return app;
}

const ONCE_ONLY: ReadonlySet<string> = new Set(["host", "authorization"]);

function refusalOfHeaders(request: IncomingMessage): AppError | undefined {
  const repeated = repeatedHeader(request, ONCE_ONLY);
  if (repeated === undefined) return undefined;
  return repeated === "host"
    ? new AppError("several-hosts", "The request names more than one host.")
    : new AppError("several-credentials", "The request has more than one Authorization header. Send one.");
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

function createTwoPlaneServer(
  handler: RelayHandler,
  handleRest: Handle,
  { relay, log, basePath }: AppDeps,
): Http1Server {
  const { inFlight } = relay;
  const toOwnPath = (request: IncomingMessage) => {
    toOriginForm(request);
    request.url = withoutBasePath(request.url ?? "", basePath);
  };
  // Node calls it before the listeners get the request.
  const shouldUpgradeCallback = (request: IncomingMessage) => {
    toOwnPath(request);
    return isSessionRequest(request);
  };
  const server = new Http1Server({ ...httpOptions, shouldUpgradeCallback }, (request, response) => {
    if (isShed(request.socket)) return;
    toOwnPath(request);
    if (isRelayed(request.url)) handler.serve(request, response);
    else handleRest(request, response);
  });
  const most = mostConnections(readOpenFileLimit());
  const isShed = most === undefined ? () => false : shedConnections(server, most, log);
  const handleUpgrade = createUpgradeHandler(relay);
  server.on("upgrade", (request, connection, head) => {
    if (isShed(request.socket)) connection.destroy();
    else handleUpgrade(request, connection, head);
  });
  const handlerOf = (url: string) => {
    const call = handler.callAt(withoutBasePath(url, basePath));
    if (call === undefined) return undefined;
    return (request: CallerRequest, response: CallerResponse) => handler.serveCall(call, request, response);
  };
  server.serve({ handlerOf, isShed, isStopping: () => inFlight.isStopping, drain: () => inFlight.drain() });
  server.on("connection", (socket) => socket.once("end", () => inFlight.halfClosed(socket)));
  return server;
}
