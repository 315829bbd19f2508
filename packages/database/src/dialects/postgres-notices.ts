import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

export interface Listener {
  /** Called when listening begins, and after each reconnect. Earlier notifications may be lost. */
  readonly began: () => void;
  readonly received: (payload: string) => void;
}

export interface Listening {
  stop(): Promise<void>;
}

const PAUSE_MS = 1_000;
/** Time limit for closing a connection, in ms: one that the network lost never reports its end. */
const LONGEST_END_MS = 1_000;

/**
 * Listens on a channel (PostgreSQL's NOTIFY), in the order of commits, on its own connection. A lost connection loses notifications: a caller detects this by notifying itself.
 */
export function listenToPostgres(
  connection: () => pg.ClientConfig,
  channel: string,
  { began, received }: Listener,
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
    next.on("notification", ({ payload }) => received(payload ?? ""));
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
