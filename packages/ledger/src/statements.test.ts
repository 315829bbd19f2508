import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { ACCOUNT_KIND, accountKey } from "./accounts.ts";
import { REFUND_TYPE } from "./storage/journal-columns.ts";
import { type CheckpointRow, type JournalRow, type Owner, StaleEpochError } from "./storage/storage.ts";
import { ledgersOf, logOf, NOON, type TestLedgers } from "./testing/test-ledgers.ts";

eachDatabase((open, kind) => {
  const create = ledgersOf(open, afterEach);

  async function start() {
    const ledgers = await create({ quota: 1_000, tokenQuota: 500 });
    const { storage, payer } = ledgers;
    const owner = await storage.register();
    const user = { kind: ACCOUNT_KIND.user, id: payer.userId };
    const token = { kind: ACCOUNT_KIND.token, id: payer.tokenId };
    const acquire = (by: Owner, need: number) =>
      storage.acquire(by, [
        [
          { ...user, need, want: 0 },
          { ...token, need, want: 0 },
        ],
      ]);
    const settle = (by: Owner, ...rows: readonly JournalRow[]) => storage.settle(by, rows);
    const row = (requestId: string, quota: number, changes: Partial<JournalRow> = {}): JournalRow => ({
      ...logOf(payer, requestId),
      alias: "",
      first_model: "",
      alias_facts: -1,
      owner: owner.id,
      quota,
      token_id: payer.tokenId,
      token_amount: quota,
      shortfall: 0,
      hidden: 0,
      user_budget: 0,
      token_budget: 0,
      group_budget: 0,
      ...changes,
    });
    const note = (requestId: string, delivered: number): CheckpointRow => ({
      request_id: requestId,
      user_id: payer.userId,
      token_id: payer.tokenId,
      token_limited: 1,
      user_budget: 0,
      token_budget: 0,
      group_budget: 0,
      channel_id: 0,
      delivered,
      created_at: NOON,
      model_name: "m",
      prompt_tokens: 1,
      completion_tokens: 2,
    });
    const raise = async (by: Owner): Promise<Owner> => (await storage.raise(by)) ?? assert.fail("it was declared dead");
    return { ledgers, storage, owner, user, token, acquire, settle, row, note, raise };
  }

  /** All that statements of the ledger change. */
  async function everything({ database: { db } }: TestLedgers) {
    const tables = ["shares", "logs", "checkpoints"];
    const read = tables.map(
      async (table) => (await sql`select * from ${sql.table(table)} order by 1, 2, 3`.execute(db)).rows,
    );
    return JSON.stringify(await Promise.all(read));
  }

  describe("a statement with an old epoch", () => {
    it("does nothing and says so, whichever it is", async () => {
      const { ledgers, storage, owner, user, acquire, settle, row, note, raise } = await start();
      await acquire(owner, 100);
      const ids = await settle(owner, row("a", 10));
      await storage.checkpoint(owner, [note("a", 5)], []);
      await raise(owner);
      const before = await everything(ledgers);
      const id = ids.get("a") ?? assert.fail();
      const {
        rows: [stored],
      } = await sql<{
        applied_id: number;
        heartbeat: number;
      }>`select applied_id, heartbeat from owners where id = ${owner.id}`.execute(ledgers.database.db);
      assert.ok(stored);
      const settled = settle(owner, row("b", 10));
      if (kind === "sqlite") await assert.rejects(settled, StaleEpochError);
      else assert.equal((await settled).size, 0, "fewer rows than were sent");
      await assert.rejects(acquire(owner, 10), StaleEpochError);
      await assert.rejects(storage.returnLeftovers(owner, [{ ...user, keep: 0, isScarce: false }]), StaleEpochError);
      await assert.rejects(storage.apply(owner, stored.applied_id, id), StaleEpochError);
      await assert.rejects(storage.checkpoint(owner, [note("c", 5)], ["a"]), StaleEpochError);
      await assert.rejects(storage.heartbeat(owner), StaleEpochError);
      if (kind === "postgres") await assert.rejects(storage.skip(owner, stored.applied_id), StaleEpochError);
      assert.equal(await everything(ledgers), before);
      const {
        rows: [after],
      } = await sql<typeof stored>`select applied_id, heartbeat from owners where id = ${owner.id}`.execute(
        ledgers.database.db,
      );
      assert.deepEqual(after, stored);
    });

    it("does nothing once its server was declared dead", { skip: kind === "sqlite" }, async () => {
      const { ledgers, storage, owner, acquire, settle, row, note } = await start();
      await acquire(owner, 100);
      await ledgers.declareDead(owner.id);
      assert.equal((await settle(owner, row("a", 10))).size, 0);
      await assert.rejects(storage.checkpoint(owner, [note("a", 5)], []), StaleEpochError);
      await assert.rejects(acquire(owner, 1), StaleEpochError);
      await assert.rejects(storage.heartbeat(owner), StaleEpochError);
      assert.equal(await storage.raise(owner), undefined);
    });
  });

  describe("raising the epoch", () => {
    it("adds one each time, whichever epoch the server knew", async () => {
      const { storage, owner, raise } = await start();
      const raised = await raise(owner);
      assert.deepEqual(raised, { id: owner.id, epoch: owner.epoch + 1 });
      assert.deepEqual(await storage.raise(owner), { id: owner.id, epoch: owner.epoch + 2 }, "its answer was lost");
    });
  });

  describe("acquiring", () => {
    it("takes all accounts of a wish or none", async () => {
      const { ledgers, storage, owner, user, token, acquire } = await start();
      assert.deepEqual(await acquire(owner, 501), [{ short: [{ ...token, need: 501, want: 0 }] }]);
      const pools = await storage.readPools([user, token]);
      assert.deepEqual(new Set(pools.values()), new Set([1_000, 500]));
      const [outcome] = await acquire(owner, 500);
      assert.deepEqual(
        outcome?.granted?.map(({ amount }) => amount),
        [500, 500],
      );
      const gone = { kind: ACCOUNT_KIND.user, id: 999_999, need: 0, want: 0 };
      assert.deepEqual(await storage.acquire(owner, [[gone]]), [{ short: [gone] }]);
      assert.equal((await ledgers.userBalance()).remaining, 1_000);
    });

    it("serves a wish though another of its statement falls short", async () => {
      const { ledgers, storage, owner, user } = await start();
      const poor = await ledgers.addPayer({ quota: 5 });
      const short = { kind: ACCOUNT_KIND.user, id: poor.userId, need: 6, want: 0 };
      const [first, second] = await storage.acquire(owner, [[short], [{ ...user, need: 7, want: 0 }]]);
      assert.deepEqual(first, { short: [short] });
      assert.deepEqual(
        second?.granted?.map(({ amount }) => amount),
        [7],
      );
    });

    it("fills a share with no more than a sixteenth of the pool", { skip: kind === "sqlite" }, async () => {
      const { storage, owner, user, token } = await start();
      const acquisition = [
        { ...user, need: 1, want: 50 },
        { ...token, need: 1, want: 70 },
      ];
      const pools = await storage.readPools([user, token]);
      const [outcome] = await storage.acquire(owner, [acquisition]);
      assert.deepEqual(
        outcome?.granted?.map(({ amount }) => amount),
        [50, Math.floor((pools.get(accountKey(token)) ?? 0) / 16)],
      );
    });
  });

  describe("returning", () => {
    it("keeps what it is told to, and never takes more than there is", async () => {
      const { storage, owner, user, acquire } = await start();
      await acquire(owner, 100);
      await storage.returnLeftovers(owner, [{ ...user, keep: 30, isScarce: true }]);
      const own = async () => (await storage.readShares(owner.id)).find(({ kind: of }) => of === user.kind);
      assert.equal((await own())?.remaining, 30);
      await storage.returnLeftovers(owner, [{ ...user, keep: 50, isScarce: true }]);
      assert.equal((await own())?.remaining, 30);
      await storage.returnLeftovers(owner, [{ ...user, keep: 0, isScarce: false }]);
      assert.deepEqual([...(await storage.readPools([user])).values()], [1_000]);
    });
  });

  describe("applying", () => {
    it("subtracts once, however often it is sent, and nothing from a stale watermark", async () => {
      const { ledgers, storage, owner, acquire, settle, row } = await start();
      await acquire(owner, 200);
      const ids = await settle(owner, row("a", 10), row("b", 20));
      const from = (await storage.readOwner(owner.id))?.appliedId ?? assert.fail();
      const [first, last] = [Math.min(...ids.values()), Math.max(...ids.values())];
      await storage.apply(owner, from, last);
      const before = await everything(ledgers);
      await assert.rejects(storage.apply(owner, from, last), StaleEpochError);
      await assert.rejects(storage.apply(owner, from, first), StaleEpochError);
      assert.equal(await everything(ledgers), before);
      assert.deepEqual(await storage.readOwner(owner.id), { appliedId: last, lastId: last });
      assert.deepEqual(await ledgers.userBalance(), { remaining: 970, used: 30, requests: 2 });
    });

    it("subtracts each entry in one of two parts", async () => {
      const { ledgers, storage, owner, acquire, settle, row } = await start();
      await acquire(owner, 200);
      const ids = [...(await settle(owner, row("a", 10), row("b", 20), row("c", 40))).values()].sort((x, y) => x - y);
      const [first = 0, , last = 0] = ids;
      const from = (await storage.readOwner(owner.id))?.appliedId ?? assert.fail();
      await storage.apply(owner, from, first);
      assert.equal((await ledgers.userBalance()).remaining, 930, "unapplied charges count");
      await storage.apply(owner, first, last);
      assert.deepEqual(await ledgers.userBalance(), { remaining: 930, used: 70, requests: 3 });
    });

    it("takes a refund off again, and one that comes alone", async () => {
      const { ledgers, storage, owner, acquire, settle, row } = await start();
      await acquire(owner, 100);
      let from = (await storage.readOwner(owner.id))?.appliedId ?? assert.fail();
      for (const entry of [row("a", 100), row("a", 60, { type: REFUND_TYPE })]) {
        const id = (await settle(owner, entry)).get("a") ?? assert.fail();
        await storage.apply(owner, from, id);
        from = id;
      }
      assert.deepEqual(await ledgers.userBalance(), { remaining: 960, used: 40, requests: 1 });
      assert.deepEqual(await ledgers.tokenBalance(), { remaining: 460, used: 40 });
    });
  });

  describe("settling", () => {
    it("has one charge and one refund of a request, whoever sends them", async () => {
      const { storage, owner, acquire, settle, row } = await start();
      await acquire(owner, 100);
      assert.equal((await settle(owner, row("a", 10))).size, 1);
      assert.equal((await settle(owner, row("a", 10), row("b", 10))).size, 1);
      const refund = row("a", 5, { type: REFUND_TYPE });
      assert.equal((await settle(owner, refund)).size, 1);
      assert.equal((await settle(owner, refund)).size, 0);
      assert.deepEqual(
        await storage.look(["a", "b", "c"]),
        new Map([
          ["a", { quota: 10, tokenAmount: 10, refunded: 5 }],
          ["b", { quota: 10, tokenAmount: 10, refunded: 0 }],
        ]),
      );
    });
  });

  describe("statements that others rely on", { skip: kind === "sqlite" }, () => {
    it("wait for the disk, and for a standby that PostgreSQL is told to wait for", async () => {
      const { ledgers, storage, owner, acquire, settle, row, note } = await start();
      const { db } = ledgers.database;
      await sql`create table waits (changed text, setting text)`.execute(db);
      await sql`create function note_wait() returns trigger language plpgsql as
        $$ begin insert into waits values (tg_table_name, current_setting('synchronous_commit')); return null; end $$`.execute(
        db,
      );
      for (const table of ["logs", "shares", "owners"])
        await sql`create trigger note_wait after insert or update on ${sql.table(table)}
          for each statement execute function note_wait()`.execute(db);
      const waits = async (table: string, work: () => Promise<unknown>) => {
        await sql`delete from waits`.execute(db);
        await work();
        const { rows } = await sql<{ setting: string }>`
          select distinct setting from waits where changed = ${table}`.execute(db);
        assert.deepEqual(rows, [{ setting: "on" }]);
      };
      await waits("shares", () => acquire(owner, 100));
      await waits("logs", () => settle(owner, row("a", 10)));
      await storage.checkpoint(owner, [note("b", 5)], []);
      await waits("owners", () => storage.raise(owner));
      await waits("owners", () => ledgers.declareDead(owner.id));
      const dead = await ledgers.ownerRow(owner.id);
      await waits("logs", () => storage.chargeCheckpoints(dead));
    });
  });

  describe("the journal's ids", () => {
    it("grow, also after the last entries were removed", async () => {
      const ledgers = await create({ quota: 1_000, tokenQuota: 1_000 });
      const server = await ledgers.start();
      await server.call("a", 100);
      await server.ledger.applyCharges();
      const clearing = {
        before: NOON + 10,
        retainChargesFrom: NOON + 10,
        after: 0,
        last: 1_000,
        at: NOON,
        onRemoved: () => Promise.resolve(),
      };
      assert.equal(await ledgers.transaction((transaction) => ledgers.quota.clearLogs(transaction, clearing)), 1);
      await server.call("b", 100);
      await server.ledger.applyCharges();
      assert.deepEqual(await ledgers.userBalance(), { remaining: 800, used: 200, requests: 2 });
      assert.equal(await server.available(), 800);
      if (kind === "postgres") return;
      const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where name = 'logs'`.execute(
        ledgers.database.db,
      );
      assert.match(rows[0]?.sql ?? "", /autoincrement/i);
    });

    it(
      "of one server grow with those of others between: no connection has ids in advance",
      { skip: kind === "sqlite" },
      async () => {
        const ledgers = await create({ quota: 1_000, tokenQuota: 1_000 });
        const [one, other] = [await ledgers.start(), await ledgers.start()];
        for (let round = 0; round < 3; round += 1) {
          await one.call(`one-${round}`, 10);
          await other.call(`other-${round}`, 10);
          await one.ledger.applyCharges();
          await other.ledger.applyCharges();
        }
        const { rows } = await sql<{
          used: number;
        }>`select cast(sum(used) as bigint) as used from shares where kind = 1`.execute(ledgers.database.db);
        assert.deepEqual(rows, [{ used: 60 }], "each entry is applied");
        const query = sql<{
          cache_size: number;
        }>`select cache_size from pg_sequences where sequencename = 'logs_id_seq'`;
        assert.deepEqual((await query.execute(ledgers.database.db)).rows, [{ cache_size: 1 }]);
      },
    );
  });
});
