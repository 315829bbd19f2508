import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { REFUND_TYPE } from "@one-api/ledger/storage/journal-columns";
import { sql } from "kysely";
import { type BreakingProxy, startBreakingProxy } from "../../../testing/servers/start-breaking-proxy.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const CALLERS = 20;
const CALLS_EACH = 15;
const LONGEST_WAIT_MS = 60_000;

/** A database that is reached through a network that breaks. */
async function openThroughProxy(direct: OpenDatabase): Promise<{ proxy: BreakingProxy; database: OpenDatabase }> {
  const { rows } = await sql<{ name: string; folder: string; port: string; user: string }>`
    select current_database() as name, current_setting('unix_socket_directories') as folder,
      current_setting('port') as port, current_user as user`.execute(direct.db);
  const [at] = rows;
  const proxy = await startBreakingProxy(`${at?.folder}/.s.PGSQL.${at?.port}`);
  const databaseUrl = `postgres://${at?.user}@127.0.0.1:${proxy.port}/${at?.name}`;
  return { proxy, database: await connectDatabase({ databaseUrl, dataDirectory: "" }) };
}

/** Calls and returns the request's id when the whole answer came; undefined when the gateway refused or broke off. */
async function callOnce(test: RelayTest, key: string, stream: boolean): Promise<string | undefined> {
  const answer = await test.post(CHAT, key, chatBody("hello", { stream }));
  const text = await answer.text();
  const isWhole = answer.status === 200 && (!stream || text.includes("[DONE]"));
  assert.ok(answer.status === 200 || answer.status === 503, text);
  return isWhole ? (answer.headers.get("x-request-id") ?? "") : undefined;
}

/** Breaks all connections every few commits until the work is done. */
async function whileBreaking<Result>(proxy: BreakingProxy, work: () => Promise<Result>): Promise<Result> {
  [proxy.lostCommits, proxy.breakingCommits] = [0.2, 0.15];
  try {
    return await work();
  } finally {
    [proxy.lostCommits, proxy.breakingCommits] = [0, 0];
  }
}

describe("with PostgreSQL behind a network that breaks", { skip: whyMissing("postgres") ?? false }, () => {
  let direct: OpenDatabase;
  let proxy: BreakingProxy;
  let database: OpenDatabase;
  let test: RelayTest;

  before(async () => {
    direct = await openTestDatabase("postgres");
    ({ proxy, database } = await openThroughProxy(direct));
    test = await startRelayTest({ database });
  });

  after(async () => {
    await test.close();
    await database.close();
    await proxy.close();
    await direct.close();
  });

  it("charges every delivered answer exactly once, also when nobody knows whether a commit counted", async () => {
    await test.addChannel(await test.upstream());
    const key = await test.addToken();
    const callAgainAndAgain = async (caller: number) => {
      const delivered: string[] = [];
      for (let call = 0; call < CALLS_EACH; call += 1) {
        const id = await callOnce(test, key, (caller + call) % 2 === 0);
        if (id !== undefined) delivered.push(id);
      }
      return delivered;
    };
    const callers = () => Promise.all(Array.from({ length: CALLERS }, (_, caller) => callAgainAndAgain(caller)));
    const delivered = (await whileBreaking(proxy, callers)).flat();

    const { ledger } = test.testApp.deps.relay;
    await waitUntil(async () => ledger.open === 0);
    const charges = direct.db.selectFrom("logs").where("type", "=", LOG_TYPE.consumption).where("quota", ">", 0);
    const charged = (await charges.select("request_id").execute()).map((charge) => charge.request_id);
    assert.ok(delivered.length > 0);
    assert.deepEqual(
      delivered.filter((id) => charged.filter((other) => other === id).length !== 1),
      [],
    );
    assert.equal((await test.books()).differences, 0);
  });

  it("charges nothing for answers that were refused because their charge was not known to be booked", async (t) => {
    const own = await openTestDatabase("postgres");
    const network = await openThroughProxy(own);
    const gateway = await startRelayTest({ database: network.database, timeouts: { settleMs: 60 } });
    t.after(async () => {
      await gateway.close();
      await network.database.close();
      await network.proxy.close();
      await own.close();
    });
    await gateway.addChannel(await gateway.upstream());
    const key = await gateway.addToken();
    const refused: string[] = [];
    const delivered: string[] = [];
    // A stream that the provider sends all at once is an answer like any other.
    const call = async (stream: boolean) => {
      const answer = await gateway.post(CHAT, key, chatBody("hello", { stream }));
      await answer.text();
      (answer.status === 200 ? delivered : refused).push(answer.headers.get("x-request-id") ?? "");
    };
    network.proxy.lostCommits = 0.6;
    for (let round = 0; round < 15; round += 1)
      await Promise.all(Array.from({ length: 10 }, (_, index) => call(index % 2 === 0)));
    network.proxy.lostCommits = 0;
    const deadline = Date.now() + LONGEST_WAIT_MS;
    // On a busy machine commits that are not lost are late, too.
    while (delivered.length === 0 && Date.now() < deadline) await call(true);
    const { ledger } = gateway.testApp.deps.relay;
    await waitUntil(async () => ledger.open === 0);
    const { db } = own;
    /** Of how many of the requests something is charged that was not refunded. */
    const chargesOf = async (ids: readonly string[]) => {
      const rows = await db
        .selectFrom("logs")
        .select(["request_id", "type", "quota"])
        .where("request_id", "in", ids)
        .execute();
      const charged = new Map<string, number>();
      for (const { request_id: id, type, quota } of rows)
        charged.set(id, (charged.get(id) ?? 0) + (type === REFUND_TYPE ? -quota : quota));
      return [...charged.values()].filter((quota) => quota !== 0).length;
    };
    assert.ok(refused.length > 0 && delivered.length > 0, `${refused.length} refused, ${delivered.length} delivered`);
    await waitUntil(async () => (await chargesOf(refused)) === 0);
    assert.equal(await chargesOf(delivered), delivered.length);
    assert.equal((await gateway.books()).differences, 0);
  });
});
