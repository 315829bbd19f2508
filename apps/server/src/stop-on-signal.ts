import { setTimeout as wait } from "node:timers/promises";
import { acceptWaiting } from "@one-api/http1/server/accept-waiting";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { RelayError } from "./relay/errors/index.ts";
import type { Wired } from "./wire.ts";

const CUT_TIMEOUT_MS = 5_000;

/**
 * A service manager signals all processes of a service and `npm start` forwards its signal, so the same
 * signal arrives twice.
 */
const REPEATED_WITHIN_MS = 1_000;

type Stopped = Pick<Wired, "close" | "relay">;

interface StopSettings extends Pick<Config, "stopDelayMs" | "drainMs"> {
  readonly log: Logger;
}

/**
 * Stops the server on SIGTERM and SIGINT, with exit code 0. A second signal after a second or more exits at once.
 * Returns a stop without the delay, for a failed start.
 *
 * | stage | lasts | readiness | new connections | calls on open connections |
 * |---|---|---|---|---|
 * | stopping | `stopDelayMs` | 503 | served | served; each answer closes its connection |
 * | closing | LAST_REQUEST_MS of `Http1Server` | 503 | refused | served; each answer closes its connection |
 * | draining | `drainMs` from the close on | – | refused | the same, for an answer that had promised to keep its connection |
 * | cut | CUT_TIMEOUT_MS | – | refused | new ones get 503, those in flight end with an error and are charged for what was delivered |
 */
export function stopOnSignal(app: FastifyInstance, wired: Stopped, settings: StopSettings): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  let askedMs = 0;
  const stop = (delayMs: number) => (stopping ??= stopInStages(app, wired, { ...settings, stopDelayMs: delayMs }));
  const onSignal = () => {
    const nowMs = performance.now();
    if (stopping !== undefined && nowMs - askedMs > REPEATED_WITHIN_MS) process.exit(1);
    askedMs = nowMs;
    if (stopping !== undefined) return;
    stop(settings.stopDelayMs).then(
      () => process.exit(0),
      (error: unknown) => {
        settings.log.fatal({ err: error }, "the server could not stop cleanly");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return () => stop(0);
}

async function stopInStages(
  app: FastifyInstance,
  wired: Stopped,
  { stopDelayMs, drainMs }: StopSettings,
): Promise<void> {
  const { inFlight } = wired.relay.services;
  inFlight.announceStop();
  await wait(stopDelayMs);
  await acceptWaiting(app.server);
  const end = setTimeout(() => inFlight.endAll(stopped()), drainMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs + CUT_TIMEOUT_MS);
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
