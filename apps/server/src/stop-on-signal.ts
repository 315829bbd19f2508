import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Wired } from "./wire.ts";

/** Requests in flight get this long to end. */
const DRAIN_TIMEOUT_MS = 30_000;

/**
 * Stops the server on SIGTERM and SIGINT: no new connections, the requests in flight end, the database closes, exit code 0. A second
 * signal ends it at once. Returns the same stop for a start that failed half-way.
 */
export function stopOnSignal(app: FastifyInstance, wired: Pick<Wired, "close">, log: Logger): () => Promise<void> {
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

async function drainAndClose(app: FastifyInstance, wired: Pick<Wired, "close">): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await app.close();
  clearTimeout(cut);
  await wired.close();
}
