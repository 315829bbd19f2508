import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { createTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { z } from "zod";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { findLastRelease } from "../gateway/last-release.ts";
import { askStub, setUpStubChannel, STUB_MODEL, type StubQuestion } from "../gateway/set-up-stub-channel.ts";
import { startCallers } from "../gateway/start-callers.ts";
import { type Gateway, SERVER, startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";
import { forgetDeadGateways } from "./forget-dead-gateways.ts";

const CALLERS = 24;
/** Every phase sees this many answers after its change. */
const ANSWERS = 150;

const ALIAS = "fast";

/** Calls of the load, in turn. */
const QUESTIONS: readonly StubQuestion[] = [
  { model: ALIAS },
  { api: "anthropic" },
  { stream: false },
  { api: "anthropic", stream: false, model: ALIAS },
];

const rowSchema = z.looseObject({ id: z.int(), name: z.string() });
const facetSchema = z.array(z.object({ value: z.string(), entries: z.int() }));

const noPostgres = whyMissing("postgres");
const release = noPostgres === undefined ? findLastRelease() : { missing: noPostgres };

test(
  "servers of the last release and of this one share a database while these replace those",
  { skip: "missing" in release && release.missing },
  async (t) => {
    assert.ok("server" in release);
    const upstream = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 20, pieces: 12 } });
    t.after(() => upstream.close());
    const { location, start } = await createStart(t);
    const oldest = await start(release.server);
    const key = await setUpStubChannel(oldest.url, upstream.at("openai"));
    await setOption(await logInToGateway(oldest.url), "ModelAliases", { [ALIAS]: [STUB_MODEL] });
    // The other reads the prices as it starts.
    const killed = await start(release.server);
    let serving = [oldest, killed];
    const load = callInTurn(() => serving, key);
    t.after(() => load.stop());
    const expectNoFailed = async () => {
      await load.answers(ANSWERS);
      assert.deepEqual(load.takeFailed(), []);
    };
    await expectNoFailed();

    const first = await start(SERVER);
    serving = [oldest, killed, first];
    await expectNoFailed();
    await editInBoth(killed, first, upstream.at("gemini"));
    await expectNoFailed();

    serving = [killed, first];
    assert.equal(await oldest.terminate(), 0);
    serving = [killed, first, await start(SERVER)];
    await expectNoFailed();

    serving = serving.filter((gateway) => gateway !== killed);
    await killed.kill();
    await load.answers(ANSWERS);
    const lost = load.takeFailed();
    assert.deepEqual(
      lost.filter(({ url }) => url !== killed.url),
      [],
    );

    const delivered = await load.stop();
    await expectLogged(first, location);
    for (const gateway of serving) assert.equal(await gateway.terminate(), 0);
    await forgetDeadGateways(location);
    await (await start(SERVER)).terminate();
    const charged = await expectBooksInOrder(location, delivered);
    t.diagnostic(`${lost.length} of ${CALLERS} calls lost, ${delivered.length} delivered, ${charged} charged`);
  },
);

/** A database, and the start of a server on it by its file. */
async function createStart(t: TestContext) {
  const made = await createTestDatabase("postgres");
  t.after(() => made.remove());
  const start = async (program: string): Promise<Gateway> => {
    const location = { ...made.location, dataDirectory: temporaryFolder("one-api-gateway-") };
    const gateway = await startGateway(location, undefined, { SECRET_KEY: "k".repeat(40) }, program);
    t.after(() => gateway.kill());
    return gateway;
  };
  return { location: made.location, start };
}

/** Callers of all servers in turn. As a balancer, they leave out a server before it stops. */
function callInTurn(serving: () => readonly Gateway[], key: string) {
  let calls = 0;
  const nextUrl = () => serving()[calls % serving().length]?.url ?? "";
  return startCallers(CALLERS, nextUrl, (url) => {
    calls += 1;
    return askStub(url, key, QUESTIONS[Math.floor(calls / serving().length) % QUESTIONS.length]);
  });
}

async function setOption(root: GatewayClient, key: string, value: unknown): Promise<void> {
  await root.send("PUT", "/api/option/", { key, value: typeof value === "string" ? value : JSON.stringify(value) });
}

/** Saves new fields by a server of this release, and edits the same rows by the other, which keeps what it does not know. */
async function editInBoth(oldGateway: Gateway, newGateway: Gateway, geminiUrl: string): Promise<void> {
  const [before, today] = [await logInToGateway(oldGateway.url), await logInToGateway(newGateway.url)];
  const newFields = {
    dialect_urls: JSON.stringify({ gemini: geminiUrl }),
    test_minutes: 90,
    key_expires_at: 4_000_000_000,
  };
  const [{ id }] = z.tuple([rowSchema]).parse(await today.get("/api/channel/"));
  // A changed address needs the key.
  await today.send("PUT", "/api/channel/", { id, key: "sk-stub", ...newFields });
  const shown = rowSchema.parse(await before.get(`/api/channel/${id}`));
  await before.send("PUT", "/api/channel/", { ...shown, name: "renamed by the last release" });
  const channel = rowSchema.parse(await today.get(`/api/channel/${id}`));
  const { dialect_urls, test_minutes, key_expires_at, name } = channel;
  assert.deepEqual(
    { dialect_urls, test_minutes, key_expires_at, name },
    { ...newFields, name: "renamed by the last release" },
  );

  for (const root of [before, today, before]) {
    const [token] = z.tuple([rowSchema]).parse(await root.get("/api/token/"));
    await root.send("PUT", "/api/token/", { id: token.id, name: `${token.name}+` });
    await setOption(root, "RetryTimes", root === before ? "2" : "3");
    await setOption(root, "ModelAliases", { [ALIAS]: [{ model: STUB_MODEL, when: { prompt_to: 1_000 } }] });
  }
}

/** The log of one server has the entries of all. */
async function expectLogged(gateway: Gateway, location: DatabaseLocation): Promise<void> {
  const root = await logInToGateway(gateway.url);
  const counted = facetSchema.parse(await root.get("/api/log/facet?field=result"));
  const database = await connectDatabase(location);
  const { db } = database;
  const count = db.fn.countAll<number>().as("entries");
  const served = db.selectFrom("logs").select(count).where("result", "=", "ok");
  const aliased = served.where("alias", "=", ALIAS);
  const [all, ofAlias] = [await served.executeTakeFirstOrThrow(), await aliased.executeTakeFirstOrThrow()];
  await database.close();
  assert.equal(counted.find(({ value }) => value === "ok")?.entries, all.entries);
  assert.ok(ofAlias.entries > 0);
}
