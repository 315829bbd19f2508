import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { randomText } from "../../core/secrets.ts";
import type { Clock } from "../../platform/clock.ts";

/** Triggers notify of users whose rows, tokens or budgets changed, or of all users after the change of a group's budget. */
export interface CallerChanges {
  /** True if all changes older than a second have been received. */
  readonly isCurrent: boolean;
  readonly count: number;
  hasChanged(userId: number, count: number): boolean;
  stop(): Promise<void>;
}

const CHANNEL = "one_api_callers";
const HEARTBEAT_MS = 400;
const CURRENT_MS = 1_000;
/** Beyond this number, all users count as changed. */
const MAX_USERS = 10_000;

/**
 * Notifications arrive in the order of commits, so a received heartbeat proves that all earlier changes arrived.
 * Undefined if no other server can change callers.
 */
export function listenForCallerChanges({ db, listen }: OpenDatabase, clock: Clock): CallerChanges | undefined {
  if (listen === undefined) return undefined;
  const self = randomText(12);
  const changes = new Map<number, number>();
  let [count, forgotten, sent] = [0, 0, 0];
  const sentAtMs = new Map<number, number>();
  let lastBeatMs = Number.NEGATIVE_INFINITY;
  const recordChange = (userId: number): void => {
    count += 1;
    if (changes.size >= MAX_USERS) {
      changes.clear();
      forgotten = count;
    }
    changes.set(userId, count);
  };
  const changeAll = (): void => {
    count += 1;
    forgotten = count;
  };
  const listening = listen(CHANNEL, {
    began() {
      // Earlier notifications are lost.
      changeAll();
      sentAtMs.clear();
    },
    received(payload) {
      const [word, name = "", number] = payload.split(" ");
      if (word === "changed") return name === "all" ? changeAll() : recordChange(Number(name));
      if (name !== self) return;
      const beatSentAtMs = sentAtMs.get(Number(number));
      sentAtMs.delete(Number(number));
      if (beatSentAtMs !== undefined) lastBeatMs = Math.max(lastBeatMs, beatSentAtMs);
    },
  });
  const beat = (): void => {
    sent += 1;
    sentAtMs.set(sent, clock.monotonicMs());
    const payload = `heard ${self} ${sent}`;
    const number = sent;
    // A heartbeat that cannot be sent is not received.
    sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db).catch(() => sentAtMs.delete(number));
  };
  beat();
  const beating = setInterval(beat, HEARTBEAT_MS).unref();
  return {
    get isCurrent() {
      return clock.monotonicMs() - lastBeatMs < CURRENT_MS;
    },
    get count() {
      return count;
    },
    hasChanged: (userId, since) => forgotten > since || (changes.get(userId) ?? 0) > since,
    async stop() {
      clearInterval(beating);
      await listening.stop();
    },
  };
}
