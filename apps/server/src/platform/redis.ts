import { createHash } from "node:crypto";
import type { createClient } from "@redis/client";
import type { Logger } from "pino";
import type { Clock } from "./clock.ts";

type Commands = Pick<ReturnType<typeof createClient>, "get" | "pTTL" | "set">;

/** A connection to Redis or Valkey, whose contents may disappear at any time. */
export interface Redis {
  /** Undefined at once without a connection, and later without an answer in time. Never throws or rejects. */
  ask<Answer>(question: (commands: Commands) => Promise<Answer>): Promise<Answer | undefined> | undefined;
  /** Runs a script by one round trip. Undefined as for `ask`. */
  run(script: RedisScript, keys: readonly string[], values: readonly string[]): Promise<unknown> | undefined;
  readonly isReady: boolean;
  close(): void;
}

export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

/** A local server answers within a millisecond; after this time the database is faster. */
const ANSWER_MS = 250;
/** A server that did not answer is not asked for this time. */
const COOLDOWN_MS = 5_000;
const CONNECT_MS = 2_000;
const LONGEST_RECONNECT_MS = 5_000;
const MOST_WAITING = 10_000;
const LOG_EVERY_MS = 60_000;

/** Connects in the background and reconnects. Undefined for an empty address. */
export async function connectRedis(
  url: string,
  clock: Clock,
  log: Logger,
  answerMs = ANSWER_MS,
): Promise<Redis | undefined> {
  return url === "" ? undefined : connect(url, clock, log, answerMs);
}

async function connect(url: string, clock: Clock, log: Logger, answerMs: number): Promise<Redis> {
  // Loaded on demand: its modules are a fifth of all modules, and most servers have no Redis.
  const redis = await import("@redis/client");
  const client = redis.createClient({
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
    log.warn({ err: error }, "Redis does not answer: channels come from the database, and each server enforces its share of rate limits"); // prettier-ignore
  };
  client.on("error", failed);
  client.connect().catch(failed);

  const isReady = (): boolean => client.isReady && clock.monotonicMs() >= cooldownUntilMs;
  const awaitAnswer = async <Answer>(question: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await withinMs(question, answerMs);
    } catch (error) {
      cooldownUntilMs = clock.monotonicMs() + COOLDOWN_MS;
      failed(error);
      return undefined;
    }
  };
  const evaluate = async ({ text, sha1 }: RedisScript, keys: string[], values: string[]): Promise<unknown> => {
    try {
      return await client.evalSha(sha1, { keys, arguments: values });
    } catch (error) {
      // A server that was started anew does not know the script.
      if (!(error instanceof redis.ErrorReply) || !error.message.startsWith("NOSCRIPT")) throw error;
      return client.eval(text, { keys, arguments: values });
    }
  };
  return {
    get isReady() {
      return isReady();
    },
    ask: (question) => (isReady() ? awaitAnswer(question(client)) : undefined),
    run: (script, keys, values) => (isReady() ? awaitAnswer(evaluate(script, [...keys], [...values])) : undefined),
    close() {
      isClosed = true;
      client.destroy();
    },
  };
}

/** A wait is counted in so many parts, of which a block of this process's event loop takes one. */
const WAIT_PARTS = 5;

/** Rejects when the server, and not this process, took longer than `mostMs`. */
async function withinMs<Result>(promise: Promise<Result>, mostMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let parts = 0;
    timer = setInterval(() => {
      parts += 1;
      // An answer that has arrived while this process was busy is read first.
      if (parts === WAIT_PARTS) setImmediate(() => reject(new Error(`No answer within ${mostMs} ms.`)));
    }, mostMs / WAIT_PARTS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearInterval(timer);
  }
}
