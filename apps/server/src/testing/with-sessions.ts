import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import type { Session } from "./open-session.ts";
import type { RelayLog, RelayTest } from "./start-relay-test.ts";

interface StageSessions {
  /** Closes the session after the test. */
  readonly keep: (session: Session) => Session;
  readonly logged: () => Promise<number>;
  /** Closes the session and returns its log entries. */
  readonly rowsOf: (session: Session, from: number) => Promise<readonly RelayLog[]>;
  readonly idle: () => Promise<void>;
}

/** Closes each test's sessions, and removes entries of free calls before each test. */
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
