import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { randomText } from "../../core/secrets.ts";
import type { Clock } from "../../platform/clock.ts";

/** What servers on one database tell each other of callers: triggers tell of users whose rows, tokens or budgets changed. */
export interface CallerChanges {
  /** Whether this server has heard of all changes that are older than a second. */
  readonly hears: boolean;
  /** How many changes it has heard of. */
  readonly count: number;
  /** Whether it has heard of a change of the user after so many. */
  hasChanged(userId: number, count: number): boolean;
  stop(): Promise<void>;
}

const CHANNEL = "one_api_callers";
/** Between two words that a server tells itself, in ms. */
const TELL_MS = 400;
/** A server hears while the last word that it heard of itself was sent less than so many ms ago. */
const HEARD_MS = 1_000;
/** Users whose changes are remembered one by one; beyond that all have changed. */
const MOST_USERS = 10_000;

/**
 * Listens for changes of callers. What is told at a commit comes in the order of commits: who hears its own word has heard all changes before it. Undefined
 * where no other server can change callers.
 */
export function listenForCallerChanges({ db, listen }: OpenDatabase, clock: Clock): CallerChanges | undefined {
  if (listen === undefined) return undefined;
  const self = randomText(12);
  const changes = new Map<number, number>();
  let [count, forgotten, told] = [0, 0, 0];
  const sentAtMs = new Map<number, number>();
  let heardAtMs = Number.NEGATIVE_INFINITY;
  const noteChange = (userId: number): void => {
    count += 1;
    if (changes.size >= MOST_USERS) {
      changes.clear();
      forgotten = count;
    }
    changes.set(userId, count);
  };
  const listening = listen(CHANNEL, {
    began() {
      // Whatever was told before is missed.
      count += 1;
      forgotten = count;
      sentAtMs.clear();
    },
    heard(payload) {
      const [word, name = "", number] = payload.split(" ");
      if (word === "changed") return noteChange(Number(name));
      if (name !== self) return;
      const sent = sentAtMs.get(Number(number));
      sentAtMs.delete(Number(number));
      if (sent !== undefined) heardAtMs = Math.max(heardAtMs, sent);
    },
  });
  const tell = (): void => {
    told += 1;
    sentAtMs.set(told, clock.monotonicMs());
    const word = `heard ${self} ${told}`;
    const number = told;
    // A word that is lost is one that is not heard.
    sql`select pg_notify(${CHANNEL}, ${word})`.execute(db).catch(() => sentAtMs.delete(number));
  };
  tell();
  const telling = setInterval(tell, TELL_MS).unref();
  return {
    get hears() {
      return clock.monotonicMs() - heardAtMs < HEARD_MS;
    },
    get count() {
      return count;
    },
    hasChanged: (userId, since) => forgotten > since || (changes.get(userId) ?? 0) > since,
    async stop() {
      clearInterval(telling);
      await listening.stop();
    },
  };
}
