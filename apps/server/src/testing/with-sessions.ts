import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import type { Session } from "./open-session.ts";
import type { RelayLog, RelayTest } from "./start-relay-test.ts";

/** The sessions of a suite of tests, and what they leave in the log. */
interface StageSessions {
  /** Has the session ended after the test, and returns it. */
  readonly keep: (session: Session) => Session;
  /** How many rows the log has. */
  readonly logged: () => Promise<number>;
  /** Closes the session and returns the rows that it has left. */
  readonly rowsOf: (session: Session, from: number) => Promise<readonly RelayLog[]>;
  /** Settles when no session runs any more. */
  readonly idle: () => Promise<void>;
}

/** Ends the sessions of each test that stands beside the call, and begins each without rows of calls that cost nothing. */
export function withSessions(stage: { readonly gateway: RelayTest }): StageSessions {
  const opened: Session[] = [];
  const idle = () => stage.gateway.testApp.deps.relay.inFlight.idle();
  beforeEach(async () => {
    await stage.gateway.testApp.database.db.deleteFrom("logs").where("quota", "=", 0).execute();
  });
  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.terminate();
    await idle();
  });
  return {
    idle,
    keep(session) {
      opened.push(session);
      return session;
    },
    logged: async () => (await stage.gateway.books()).logs.length,
    async rowsOf(session, from) {
      session.socket.close();
      await session.closed();
      await idle();
      const books = await stage.gateway.books();
      assert.deepEqual([books.open, books.differences], [0, 0]);
      return books.logs.slice(from);
    },
  };
}
