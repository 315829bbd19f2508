import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** Who listens. */
export interface Listener {
  /** Whatever was told before is missed. Called when it begins to hear, and again after each time that its connection was lost. */
  readonly began: () => void;
  readonly heard: (payload: string) => void;
}

/** Listening that goes on until it is stopped. */
export interface Listening {
  stop(): Promise<void>;
}

/** After a connection was lost or could not be had, in ms. */
const PAUSE_MS = 1_000;
/** A connection that the network lost never says that it has ended, in ms. */
const LONGEST_END_MS = 1_000;

/**
 * Hears what is told on the channel (PostgreSQL's NOTIFY), in the order of the commits that told it, on a connection of its own. While the connection is
 * away nothing is heard, and what was told meanwhile never is: who must know that nothing was missed tells something itself and waits to hear it.
 */
export function listenToPostgres(
  connection: () => pg.ClientConfig,
  channel: string,
  { began, heard }: Listener,
): Listening {
  let isStopped = false;
  let client: pg.Client | undefined;
  let pause: NodeJS.Timeout | undefined;
  const again = (): void => {
    if (isStopped) return;
    clearTimeout(pause);
    pause = setTimeout(() => void connect(), PAUSE_MS);
    pause.unref();
  };
  const connect = async (): Promise<void> => {
    const next = new pg.Client(connection());
    client = next;
    next.on("error", () => undefined);
    next.on("end", again);
    next.on("notification", ({ payload }) => heard(payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      began();
    } catch {
      await next.end().catch(() => undefined);
      again();
    }
  };
  void connect();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(pause);
      const ended = client?.end().catch(() => undefined);
      await Promise.race([ended, wait(LONGEST_END_MS, undefined, { ref: false })]);
    },
  };
}
