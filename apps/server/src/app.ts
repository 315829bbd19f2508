import Fastify, { type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { AppError } from "./core/app-error.ts";
import type { CallRegistry } from "./core/call-registry.ts";
import type { CallRegistryDeps } from "./http/create-call-registry.ts";
import { registerConsole } from "./http/register-console.ts";
import { registerControlPlane } from "./http/register-control-plane.ts";
import { replyWithError } from "./http/reply-with-error.ts";
import { hasSeveralHosts, serverOptions } from "./http/server-options.ts";
import { registerRelay } from "./relay/register-relay.ts";
import type { RelayDependencies } from "./relay/relay-dependencies.ts";

/** What the app is made of; wire.ts makes it. */
export interface AppDeps extends CallRegistryDeps {
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
  /** Folder of the built console. */
  readonly consoleDirectory: string;
  readonly relay: RelayDependencies;
  /** Hands every feature's calls to the registry. */
  readonly registerCalls: (registry: CallRegistry) => void;
}

/** The whole HTTP side, ready to listen or to be injected requests into. Registration is ordered; the console takes what is left. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const app = Fastify(serverOptions(deps.trustedProxies, deps.log));
  app.setErrorHandler(replyWithError);
  app.addHook("onRequest", (request, _reply, done) => {
    done(
      hasSeveralHosts(request.raw) ? new AppError("several-hosts", "The request names more than one host.") : undefined,
    );
  });
  registerControlPlane(app, deps, deps.registerCalls);
  registerRelay(app, deps.relay);
  registerConsole(app, deps.consoleDirectory);
  return app;
}
