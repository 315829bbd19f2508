import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { DRAIN_TIMEOUT_MS } from "./relay/active-relays.ts";
import { RelayError } from "./relay/relay-error.ts";
import type { Wired } from "./wire.ts";

/** What has not ended by itself then gets this long to be told and booked. */
const CUT_TIMEOUT_MS = 5_000;

/**
 * Stops the server on SIGTERM and SIGINT: no new connections, the requests in flight end, the database closes, exit code 0. A second
 * signal ends it at once. Returns the same stop for a start that failed half-way.
 */
export function stopOnSignal(
  app: FastifyInstance,
  wired: Pick<Wired, "close" | "relay">,
  log: Logger,
): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= drainAndClose(app, wired));
  const onSignal = () => {
    if (stopping !== undefined) process.exit(1);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, "the server could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return stop;
}

async function drainAndClose(app: FastifyInstance, wired: Pick<Wired, "close" | "relay">): Promise<void> {
  const end = setTimeout(() => wired.relay.deps.active.endAll(stopped()), DRAIN_TIMEOUT_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS + CUT_TIMEOUT_MS);
  await app.close();
  clearTimeout(end);
  clearTimeout(cut);
  await wired.close();
}

function stopped(): RelayError {
  return new RelayError({
    status: 503,
    code: "gateway_stopped",
    message: "The gateway was stopped before the answer was whole. Try again.",
    retryAfterSeconds: 2,
  });
}
