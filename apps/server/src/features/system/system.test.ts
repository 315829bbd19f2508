import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getSystem } from "@one-api/contract/system/system";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the system on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind, environment: { INSTANCE_NAME: "gateway-a" } });
      root = await testApp.logInAs("root");
    });
    after(() => testApp.close());
    const now = () => Math.floor(testApp.clock.nowMs() / 1_000);

    test("is for root alone", async () => {
      for (const role of ["user", "admin"] as const) {
        const { client } = await testApp.logInAs(role);
        assert.equal((await client.send(getSystem)).status, 403, role);
      }
      assert.equal((await testApp.client().send(getSystem)).status, 401);
    });

    test("has this server, its database, log store, jobs, process and memory budgets", async () => {
      const state = await root.client.data(getSystem);
      assert.equal(state.at, now());
      const [own] = state.servers;
      assert.deepEqual([own?.name, own?.state, own?.is_this, own?.in_flight], ["gateway-a", "live", true, 0]);
      assert.match(own?.version ?? "", /^\d+\.\d+\.\d+/);
      const { database } = state;
      assert.deepEqual([database.kind, database.is_writable, database.failed_writes], [kind, true, 0]);
      assert.match(database.version, /^\d+\.\d+/);
      assert.ok(database.bytes > 10_000 && database.connections.limit >= database.connections.open);
      const all = database.all_connections;
      if (kind === "sqlite") assert.equal(all, null);
      else assert.ok(all !== null && all.open >= 1 && all.limit > all.open);
      assert.equal(state.log_store.state, "following");
      const names = state.jobs.map(({ name }) => name);
      for (const name of ["checkpoints", "log retention", "audit seals", "server report"] as const)
        assert.ok(names.includes(name), name);
      assert.equal(new Set(names).size, names.length);
      assert.deepEqual(state.outages, []);
      assert.ok(state.process.memory_bytes > state.process.heap_bytes && state.process.heap_bytes > 1_000_000);
      assert.deepEqual(
        state.process.budgets.map(({ name, used_bytes: used, limit_bytes: limit }) => [name, used, limit > 0]),
        [
          ["bodies", 0, true],
          ["answers", 0, true],
          ["sessions", 0, true],
        ],
      );
      assert.deepEqual(state.balances, { checked_at: 0, differences: 0 });
      assert.deepEqual(state.audit.problems, 0);
      const later = await root.client.data(getSystem);
      assert.ok(later.process.event_loop_delay !== null, "the delay is measured from the first read on");
    });

    test("names other servers and their states, and the newest comparison of the balances", async () => {
      const { db } = testApp.database;
      const at = now();
      const report = { version: "1.0.0", started_at: at - 900, in_flight: 3, stopped_at: 0 };
      const rows = [
        { ...report, id: 101, name: "live", reported_at: at - 9, balances_checked_at: at - 50, balance_differences: 2 },
        { ...report, id: 102, name: "silent", reported_at: at - 31, balances_checked_at: at - 80, balance_differences: 0 },
        { ...report, id: 103, name: "dead", reported_at: at - 60, balances_checked_at: 0, balance_differences: 0 },
        { ...report, id: 104, name: "gone", reported_at: at - 70, balances_checked_at: 0, balance_differences: 0 },
        { ...report, id: 105, name: "stopped", reported_at: at - 80, stopped_at: at - 80, balances_checked_at: 0, balance_differences: 0 },
      ]; // prettier-ignore
      for (const row of rows) await db.insertInto("servers").values(row).execute();
      const owners = [
        { id: 101, state: "live" },
        { id: 102, state: "live" },
        { id: 103, state: "charged" },
        { id: 106, state: "live" },
        { id: 107, state: "batch", request_id: "batch" },
      ];
      for (const owner of owners) await db.insertInto("owners").values(owner).execute();
      const { servers, balances } = await root.client.data(getSystem);
      assert.deepEqual(Object.fromEntries(servers.map(({ name, state }) => [name, state])), {
        "gateway-a": "live",
        live: "live",
        silent: "silent",
        dead: "dead",
        gone: "dead",
        stopped: "stopped",
        "": "live",
      });
      assert.deepEqual([servers.length, servers.filter((server) => server.is_this).length], [7, 1]);
      assert.deepEqual([servers[1]?.in_flight, servers[1]?.reported_at], [3, at - 9]);
      assert.deepEqual(balances, { checked_at: at - 50, differences: 2 });
    });
  });
}
