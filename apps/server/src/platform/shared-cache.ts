import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

interface SharedText {
  readonly text: string;
  readonly leftMs: number;
}

/** A cache shared by all servers. Its contents may disappear at any time. */
export interface SharedCache {
  /** Undefined without an entry or without an answer in time. Never throws. */
  read(name: string): Promise<SharedText | undefined>;
  /** Stores a text if possible. Never throws. */
  write(name: string, text: string, lifetimeMs: number): Promise<void>;
  close(): void;
}

/** A local server answers within a millisecond; after this time the database is faster. */
const ANSWER_MS = 250;
/** A cache that did not answer is not asked for this time. */
const COOLDOWN_MS = 5_000;
const CONNECT_MS = 2_000;
const LONGEST_RECONNECT_MS = 5_000;
const MOST_WAITING = 100;
const LOG_EVERY_MS = 60_000;

/** Connects to Redis or Valkey in the background and reconnects. Undefined for an empty address. */
export async function createSharedCache(url: string, clock: Clock, log: Logger): Promise<SharedCache | undefined> {
  return url === "" ? undefined : connectCache(url, clock, log);
}

async function connectCache(url: string, clock: Clock, log: Logger): Promise<SharedCache> {
  // Loaded on demand: its modules are a fifth of all modules, and most servers have no Redis.
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
  let cooldownUntilMs = Number.NEGATIVE_INFINITY;
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
    if (!client.isReady || clock.monotonicMs() < cooldownUntilMs) return undefined;
    try {
      return await withinMs(question(), ANSWER_MS);
    } catch (error) {
      cooldownUntilMs = clock.monotonicMs() + COOLDOWN_MS;
      failed(error);
      return undefined;
    }
  };
  return {
    async read(name) {
      const [text, leftMs] = (await ask(() => Promise.all([client.get(name), client.pTTL(name)]))) ?? [null, 0];
      return text === null || leftMs <= 0 ? undefined : { text, leftMs };
    },
    async write(name, text, lifetimeMs) {
      const expiration = { type: "PX", value: Math.max(1, Math.floor(lifetimeMs)) } as const;
      await ask(() => client.set(name, text, { expiration }));
    },
    close() {
      isClosed = true;
      client.destroy();
    },
  };
}

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
