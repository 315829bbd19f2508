import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

/** A text that is kept for all servers. */
interface SharedText {
  readonly text: string;
  /** How long it may still be used. */
  readonly leftMs: number;
}

/** What all servers keep together outside of the database: nothing that cannot be had again, for it may be gone at any moment. */
export interface SharedCache {
  /** The text under that name; undefined where there is none, or the cache does not answer in time. Never throws. */
  read(name: string): Promise<SharedText | undefined>;
  /** Keeps a text for so long, as far as that can be done. Never throws. */
  write(name: string, text: string, keepMs: number): Promise<void>;
  close(): void;
}

/** A server nearby answers within a millisecond; who waits longer had better ask the database. */
const ANSWER_MS = 250;
/** So long a cache that did not answer is left alone. */
const LEFT_ALONE_MS = 5_000;
const CONNECT_MS = 2_000;
const LONGEST_RECONNECT_MS = 5_000;
const MOST_WAITING = 100;
const LOG_EVERY_MS = 60_000;

/** Connects to Redis or Valkey, in the background and again whenever the connection breaks; undefined where the address is empty. */
export async function createSharedCache(url: string, clock: Clock, log: Logger): Promise<SharedCache | undefined> {
  return url === "" ? undefined : connectCache(url, clock, log);
}

async function connectCache(url: string, clock: Clock, log: Logger): Promise<SharedCache> {
  // Its modules are a fifth of all that a server would load, most of which have no Redis.
  const { createClient } = await import("@redis/client");
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, LONGEST_RECONNECT_MS),
    },
  });
  let leftAloneUntilMs = Number.NEGATIVE_INFINITY;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const failed = (error: unknown) => {
    if (isClosed || clock.monotonicMs() - loggedAtMs < LOG_EVERY_MS) return;
    loggedAtMs = clock.monotonicMs();
    log.warn({ err: error }, "Redis does not answer: what is shared through it is read from the database");
  };
  client.on("error", failed);
  client.connect().catch(failed);

  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (!client.isReady || clock.monotonicMs() < leftAloneUntilMs) return undefined;
    try {
      return await withinMs(question(), ANSWER_MS);
    } catch (error) {
      leftAloneUntilMs = clock.monotonicMs() + LEFT_ALONE_MS;
      failed(error);
      return undefined;
    }
  };
  return {
    async read(name) {
      const [text, leftMs] = (await ask(() => Promise.all([client.get(name), client.pTTL(name)]))) ?? [null, 0];
      return text === null || leftMs <= 0 ? undefined : { text, leftMs };
    },
    async write(name, text, keepMs) {
      const expiration = { type: "PX", value: Math.max(1, Math.floor(keepMs)) } as const;
      await ask(() => client.set(name, text, { expiration }));
    },
    close() {
      isClosed = true;
      client.destroy();
    },
  };
}

/** The promise's result. Throws when it takes longer. */
async function withinMs<Result>(promise: Promise<Result>, mostMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${mostMs} ms.`)), mostMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
