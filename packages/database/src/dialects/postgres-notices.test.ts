import assert from "node:assert/strict";
import { it } from "node:test";
import { waitUntil } from "../testing/wait-until.ts";
import { sql } from "kysely";
import { openTestDatabase, whyMissing } from "../test-databases.ts";

it(
  "hears what is told on its channel in order, and says when it has missed something",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const received: string[] = [];
    let began = 0;
    const listening = database.listen?.("some channel", {
      began: () => (began += 1),
      received: (payload) => received.push(payload),
    });
    assert.ok(listening);
    const tell = (channel: string, payload: string) =>
      sql`select pg_notify(${channel}, ${payload})`.execute(database.db);
    await waitUntil(() => began === 1);
    for (const payload of ["1", "2", "3"]) await tell("some channel", payload);
    await tell("another channel", "4");
    await waitUntil(() => received.length === 3);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`.execute(
      database.db,
    );
    await tell("some channel", "missed");
    await waitUntil(() => began === 2);
    await tell("some channel", "5");
    await waitUntil(() => received.length === 4);
    assert.deepEqual(received, ["1", "2", "3", "5"]);

    let isHeardByOther = false;
    let isOtherListening = false;
    const other = database.listen?.("some channel", {
      began: () => (isOtherListening = true),
      received: () => (isHeardByOther = true),
    });
    await waitUntil(() => isOtherListening);
    await listening.stop();
    await tell("some channel", "6");
    await waitUntil(() => isHeardByOther);
    await other?.stop();
    assert.equal(received.length, 4);
  },
);
