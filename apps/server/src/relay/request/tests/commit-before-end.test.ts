import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { openSqlite } from "@one-api/database/dialects/sqlite";
import { createMigratedDatabase, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { checkBalances } from "@one-api/ledger/check-balances";
import { REFUND_TYPE } from "@one-api/ledger/storage/journal-columns";
import type { SettleCallback, Settlement } from "@one-api/ledger/ledger";
import { type CommitControl, controlCommits } from "../../../testing/ledger/control-commits.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** What has come of an answer so far, read as it arrives. */
interface Arriving {
  /** Whether the status line and headers are there. */
  readonly began: () => boolean;
  readonly text: () => string;
  readonly whole: Promise<Response>;
}

function arriving(call: Promise<Response>): Arriving {
  let began = false;
  let text = "";
  const whole = call.then(async (answer) => {
    began = true;
    const decoder = new TextDecoder();
    const reader = answer.body?.getReader();
    for (;;) {
      const bytes: unknown = (await reader?.read())?.value;
      if (!(bytes instanceof Uint8Array)) return answer;
      text += decoder.decode(bytes, { stream: true });
    }
  });
  return { began: () => began, text: () => text, whole };
}

/** Two answers to later calls: whatever the gateway had sent before them has arrived. */
async function whateverWasSent(gateway: RelayTest): Promise<void> {
  for (let count = 0; count < 2; count += 1) await (await fetch(`${gateway.url}/v1/models`)).text();
}

async function allSettled(gateway: RelayTest) {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const books = await gateway.books();
    if (books.open === 0) return books;
    assert.ok(Date.now() < deadline, "a reservation is left open");
    await wait(50);
  }
}

/** A stream whose pieces come one after the other; what comes with its end are the last piece and all that follows. */
const PACED = 'some words [[fake: {"kind":"normal","chunkDelayMs":20}]]';

describe("what is final leaves only after its commit", () => {
  let commits: CommitControl;
  let gateway: RelayTest;
  let upstream: StubServer;
  let key: string;

  beforeEach(async () => {
    commits = controlCommits();
    gateway = await startRelayTest({ aroundStorage: commits.around, timeouts: { settleMs: 500 } });
    upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    key = await gateway.addToken();
  });

  afterEach(async () => {
    commits.release();
    await gateway.close();
  });

  it("keeps the end where others gave back what was set aside and the balance covers it no more", async (t) => {
    const { ledger } = gateway.testApp.deps.relay;
    t.mock.method(ledger, "settle", (settlement: Settlement, done: SettleCallback) => {
      ledger.release(settlement);
      done(undefined, { settled: false, charged: 0 });
    });
    const answer = await gateway.post(CHAT, key, chatBody("some words"));
    assert.equal(answer.status, 503);
    assert.doesNotMatch(await answer.text(), /You said/);
    const stream = await (await gateway.post(CHAT, key, chatBody(PACED, { stream: true }))).text();
    assert.match(stream, /could not be booked/);
    assert.doesNotMatch(stream, /\[DONE\]/);
  });

  it("[CONST-32] holds back what came with a stream's end, and nothing before it", async () => {
    commits.pause("settle");
    const answer = arriving(gateway.post(CHAT, key, chatBody(PACED, { stream: true })));
    await commits.paused();
    await whateverWasSent(gateway);
    assert.match(answer.text(), /"content":" some"/);
    assert.doesNotMatch(answer.text(), /\[DONE\]/);
    assert.equal((await gateway.books()).open, 1);
    commits.release();
    await answer.whole;
    assert.ok(answer.text().endsWith("data: [DONE]\n\n"));
    const books = await gateway.books();
    assert.deepEqual([books.logs.length, books.open, books.differences], [1, 0, 0]);
  });

  it("holds a stream back to its last byte that the provider sent at once", async () => {
    commits.pause("settle");
    const answer = arriving(gateway.post(CHAT, key, chatBody("some words", { stream: true })));
    await commits.paused();
    await whateverWasSent(gateway);
    assert.equal(answer.began(), false);
    commits.release();
    assert.equal((await answer.whole).headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.match(answer.text(), /"content":" some".*"finish_reason":"stop".*data: \[DONE\]\n\n$/s);
  });

  for (const type of [1, 14]) {
    it(`holds back what came with the end of Anthropic's stream, and nothing before it, from a channel of type ${type}`, async () => {
      const model = "claude-sonnet-4-5";
      await gateway.addChannel(upstream, { type, models: model });
      commits.pause("settle");
      const ask = chatBody(PACED, { model, stream: true });
      const answer = arriving(gateway.post("/v1/messages", key, ask));
      await commits.paused();
      await whateverWasSent(gateway);
      assert.match(answer.text(), /"text":" some"/);
      assert.doesNotMatch(answer.text(), /message_stop/);
      commits.release();
      await answer.whole;
      assert.match(answer.text(), /"stop_reason":"end_turn"/);
      assert.ok(answer.text().endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n'));
      const books = await gateway.books();
      assert.deepEqual([books.logs.length, books.open, books.differences], [1, 0, 0]);
    });
  }

  it("[CONST-32] holds a whole answer back to its last byte", async () => {
    commits.pause("settle");
    const answer = arriving(gateway.post(CHAT, key, chatBody("some words")));
    await commits.paused();
    await whateverWasSent(gateway);
    assert.equal(answer.began(), false);
    commits.release();
    assert.equal((await answer.whole).status, 200);
    assert.match(answer.text(), /You said: some words/);
  });

  it("ends a stream without its end mark when the commit fails, and charges it once when it succeeds later", async () => {
    commits.fail("settle");
    const text = await (await gateway.post(CHAT, key, chatBody(PACED, { stream: true }))).text();
    assert.doesNotMatch(text, /\[DONE\]/);
    assert.match(text, /"code":"unavailable"\}\}\n\n$/);
    assert.equal((await gateway.books()).open, 1);
    commits.release();
    const books = await allSettled(gateway);
    assert.deepEqual([books.logs.length, books.differences], [1, 0]);
    assert.ok(books.charged > 0);
  });

  for (const stream of [false, true]) {
    it(`sends nothing of a whole ${stream ? "stream" : "answer"} when the commit fails, and charges nothing for it`, async () => {
      commits.fail("settle");
      const answer = await gateway.post(CHAT, key, chatBody("some words", { stream }));
      const text = await answer.text();
      assert.equal(answer.status, 503);
      assert.match(text, /"code":"unavailable"/);
      assert.doesNotMatch(text, /some/);
      commits.release();
      const books = await allSettled(gateway);
      assert.deepEqual([books.charged, books.differences], [0, 0]);
      assert.deepEqual(
        books.logs.map(({ result, quota }) => [result, quota]),
        [["gateway-failed", 0]],
      );
    });
  }

  it("books a stream once whose caller leaves while its commit is under way", async () => {
    commits.pause("settle");
    const leave = new AbortController();
    const call = fetch(gateway.url + CHAT, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody(PACED, { stream: true })),
      signal: leave.signal,
    });
    await commits.paused();
    await (await call).body?.cancel();
    leave.abort();
    await whateverWasSent(gateway);
    commits.release();
    const books = await allSettled(gateway);
    assert.deepEqual([books.logs.length, books.differences], [1, 0]);
    assert.ok(books.charged > 0);
  });
});

describe("what is final leaves only once the disk has its charge", () => {
  /** Syncs of the database file that a test holds or fails. */
  interface Disk {
    state: "fine" | "held" | "broken";
    /** Ends the syncs that are held. */
    release(): void;
  }

  async function start(t: TestContext) {
    const waiting: (() => void)[] = [];
    const disk: Disk = {
      state: "fine",
      release() {
        disk.state = "fine";
        for (const go of waiting.splice(0)) go();
      },
    };
    const made = await createMigratedDatabase("sqlite");
    const database = await openSqlite(made.location.dataDirectory, async () => {
      if (disk.state === "held") await new Promise<void>((resolve) => waiting.push(resolve));
      if (disk.state === "broken") throw new Error("EIO: i/o error, fdatasync");
    });
    const gateway = await startRelayTest({ database, timeouts: { settleMs: 500 } });
    t.after(async () => {
      disk.release();
      await gateway.close();
      await database.close();
      await made.remove();
    });
    await gateway.addChannel(await gateway.upstream());
    const key = await gateway.addToken();
    // What is read at a token's first use is read by now.
    await (await gateway.post(CHAT, key, chatBody("first"))).text();
    const charged = async () => (await database.db.selectFrom("logs").select("id").execute()).length - 1;
    return { gateway, disk, key, charged };
  }

  for (const stream of [false, true]) {
    it(`${stream ? "the end of a stream" : "a whole answer"}, which is charged in the file already`, async (t) => {
      const { gateway, disk, key, charged } = await start(t);
      disk.state = "held";
      const answer = arriving(gateway.post(CHAT, key, chatBody(PACED, { stream })));
      await waitUntil(async () => (await charged()) === 1);
      // Two turns of a caller that is refused without a commit: whatever was sent before has arrived.
      await whateverWasSent(gateway);
      assert.doesNotMatch(answer.text(), stream ? /\[DONE\]/ : /./s);
      if (!stream) assert.equal(answer.began(), false);
      disk.release();
      await answer.whole;
      assert.match(answer.text(), stream ? /\[DONE\]\n\n$/ : /some words/);
    });

    it(`${stream ? "no end of a stream" : "no answer"} where the disk fails`, async (t) => {
      const { gateway, disk, key } = await start(t);
      disk.state = "broken";
      const text = await (await gateway.post(CHAT, key, chatBody(PACED, { stream }))).text();
      assert.match(text, /"code":"unavailable"/);
      assert.doesNotMatch(text, stream ? /\[DONE\]/ : /some words/);
      disk.release();
      const books = await allSettled(gateway);
      assert.deepEqual([books.logs.length, books.differences], [2, 0]);
    });
  }
});

it(
  "asks no provider before the reservation is committed where it is a row, and none when that fails",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const commits = controlCommits();
    const gateway = await startRelayTest({ kind: "postgres", aroundStorage: commits.around });
    t.after(() => gateway.close());
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    const key = await gateway.addToken();
    commits.pause("reserve");
    const answer = gateway.post(CHAT, key, chatBody("x"));
    await commits.paused();
    await whateverWasSent(gateway);
    assert.equal(upstream.requests.length, 0);
    commits.release();
    assert.equal((await answer).status, 200);
    commits.fail("reserve");
    const refused = await gateway.post(CHAT, key, chatBody("x"));
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [503, "unavailable"]);
    assert.equal(upstream.requests.length, 1);
    assert.equal((await gateway.books()).differences, 0);
  },
);

for (const kind of ["sqlite", "postgres"] as const) {
  it(
    `a caller is told in time that a charge cannot be booked, and pays nothing when it is after all (${kind})`,
    { skip: whyMissing(kind) ?? false },
    async (t) => {
      const commits = controlCommits();
      const gateway = await startRelayTest({ kind, aroundStorage: commits.around, timeouts: { settleMs: 300 } });
      t.after(() => gateway.close());
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      // From the second call on the share covers what is reserved.
      for (const text of ["first", "second", "third"]) await (await gateway.post(CHAT, key, chatBody(text))).text();
      const before = await allSettled(gateway);
      commits.pause("settle");
      const answer = await gateway.post(CHAT, key, chatBody("some words"));
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [503, "unavailable"]);
      commits.release();
      await waitUntil(async () => (await gateway.books()).refunds === 1);
      const books = await allSettled(gateway);
      assert.deepEqual([books.charged, books.logs.length, books.differences], [before.charged, 4, 0]);
      assert.equal((await gateway.post(CHAT, key, chatBody("again"))).status, 200);
    },
  );

  it(`so it is where the gateway stops meanwhile (${kind})`, { skip: whyMissing(kind) ?? false }, async (t) => {
    const commits = controlCommits();
    const database = await openTestDatabase(kind);
    t.after(() => database.close());
    const gateway = await startRelayTest({ database, aroundStorage: commits.around, timeouts: { settleMs: 300 } });
    await gateway.addChannel(await gateway.upstream());
    const key = await gateway.addToken();
    for (const text of ["first", "second"]) await (await gateway.post(CHAT, key, chatBody(text))).text();
    commits.pause("settle");
    assert.equal((await gateway.post(CHAT, key, chatBody("some words"))).status, 503);
    const { inFlight } = gateway.testApp.deps.relay;
    const closed = gateway.close();
    await waitUntil(() => inFlight.isDraining);
    commits.release();
    await closed;
    const logs = await database.db.selectFrom("logs").select(["type", "quota", "result"]).orderBy("id").execute();
    const [before, charge, refund] = logs.slice(-3);
    assert.deepEqual([before?.type, before?.result], [LOG_TYPE.consumption, "ok"]);
    assert.ok((charge?.quota ?? 0) > 0);
    assert.deepEqual([refund?.type, refund?.quota, refund?.result], [REFUND_TYPE, charge?.quota, "gateway-failed"]);
    assert.deepEqual(await checkBalances(database), []);
  });
}
