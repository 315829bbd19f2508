import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, describe, it } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { type Channel, getChannel, listChannels, updateChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { listLogs, listOwnLogs, LOG_TYPE } from "@one-api/contract/logs/log";
import { updateOption } from "@one-api/contract/options/option";
import { eachDatabase } from "@one-api/database/test-databases";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
  whenRefused,
} from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const refusal = (status: number, more: object = {}) =>
  `[[fake: ${JSON.stringify({ kind: "refuse", status, ...more })}]]`;

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start(more: Parameters<RelayTest["addChannel"]>[1] = {}) {
    test = await startRelayTest({ kind });
    const gateway = test;
    await gateway.addChannel(await gateway.upstream(), more);
    const key = await gateway.addToken();
    const [{ id } = { id: 0 }] = await gateway.root.data(listChannels);
    const ask = (content: string, body: Record<string, unknown> = {}) =>
      gateway.post(CHAT, key, chatBody(content, body));
    const show = () => gateway.root.data(getChannel, { params: { id } });
    const becomes = (is: (channel: Channel) => boolean) => waitUntil(async () => is(await show()));
    const refused = async () => errorOf(await whenRefused(() => ask("anybody?")));
    return { gateway, id, ask, show, becomes, refused };
  }

  describe("what attempts leave in the channel's row", () => {
    it("a refused key leaves a hint at once, though nothing is disabled, and the next answer takes it away", async () => {
      const { ask, show, becomes } = await start();
      assert.equal((await ask(refusal(401))).status, 502);
      await becomes((channel) => channel.status_hint?.code === "key-refused");
      const { status, status_hint: hint } = await show();
      assert.equal(status, CHANNEL_STATUS.enabled);
      assert.match(hint?.message ?? "", /API key/);
      assert.equal((await ask("is it well again?", { stream: true })).status, 200);
      await becomes((channel) => channel.status_hint === undefined);
      await ask(refusal(429, { reason: "insufficient-quota" }));
      await becomes((channel) => channel.status_hint?.code === "out-of-credit");
      await (await ask("and now?")).text();
      await becomes((channel) => channel.status_hint === undefined);
    });

    it("a hint goes with the key, and comes back when the new one is refused too", async () => {
      const { gateway, id, ask, becomes } = await start();
      await ask(refusal(401));
      await becomes((channel) => channel.status_hint?.code === "key-refused");
      const body = { id, key: "sk-another" };
      const { status_hint: hint } = await gateway.root.data(updateChannel, { body });
      assert.equal(hint, undefined);
      await ask(refusal(401));
      await becomes((channel) => channel.status_hint?.code === "key-refused");
    });

    it("a test by hand tells which address was asked and what came of it, without the key", async () => {
      const { gateway, id, show } = await start({ key: "sk-key-of-a-trace" });
      await gateway.root.data(testChannel, { params: { id } });
      const { last_test: passed, response_time: responseTime } = await show();
      assert.match(passed?.address ?? "", /^127\.0\.0\.1:\d+\/openai\/v1\/chat\/completions$/);
      assert.deepEqual([passed?.failure, passed?.status, responseTime > 0], ["", 200, true]);
      const body = { id, base_url: "http://127.0.0.1:1", key: "sk-key-of-a-trace" };
      await gateway.root.data(updateChannel, { body });
      const refused = await gateway.root.send(testChannel, { params: { id } });
      assert.equal(refused.envelope?.message, "The connection to the provider failed (ECONNREFUSED).");
      const { last_test: failed } = await show();
      assert.deepEqual([failed?.failure, failed?.address], ["connection", "127.0.0.1:1/v1/chat/completions"]);
    });

    it("the log tells why there was no connection, as a test does, and to where an address redirects, to administrators alone", async (context) => {
      const { gateway, id, ask } = await start();
      const server = createServer((_request, response) => {
        response.writeHead(308, { location: "/v2/chat?key=sk-in-a-query" }).end();
      }).listen(0, "127.0.0.1");
      context.after(() => server.close());
      await once(server, "listening");
      const bound = server.address();
      assert.ok(typeof bound === "object" && bound !== null);
      const toldOf = async (base_url: string) => {
        await gateway.root.data(updateChannel, { body: { id, base_url, key: "sk-key-of-a-trace" } });
        await waitUntil(async () => (await ask("hello")).status !== 503);
        await gateway.testApp.deps.relay.inFlight.idle();
        const [entry] = await gateway.root.data(listLogs, { query: { type: LOG_TYPE.consumption } });
        return entry?.detail?.attempts.at(-1)?.failure ?? "";
      };
      const origin = `http://127.0.0.1:${bound.port}`;
      const noConnection = "connection: The connection to the provider failed (ECONNREFUSED).";
      assert.equal(await toldOf("http://127.0.0.1:1"), noConnection);
      assert.match(
        await toldOf("http://no-such-host.invalid"),
        /^connection: (?:Host name not found|The host name could not be resolved)\. .+ \((?:ENOTFOUND|EAI_AGAIN)\)\.$/,
      );
      const led = `bad-answer: The provider's address redirects to ${origin}. Look at the channel's base_url.`;
      assert.equal(await toldOf(origin), led);
      const { client } = await gateway.testApp.logInAs("user");
      const theirs = await gateway.addToken({ remain_quota: 1_000_000 }, client);
      await (await gateway.post(CHAT, theirs, chatBody("hello"))).text();
      await gateway.testApp.deps.relay.inFlight.idle();
      const [own] = await client.data(listOwnLogs);
      assert.match(own?.detail?.attempts.at(-1)?.failure ?? "", /redirects to … Look/);
    });

    it("a caller's own mistakes leave no hint and disable nothing, however many", async () => {
      const { gateway, ask, show } = await start();
      await gateway.root.data(updateOption, { body: { key: "AutomaticDisableChannelEnabled", value: "true" } });
      for (let count = 0; count < 8; count += 1) await ask(refusal(400, { message: "messages.0: invalid api key" }));
      await ask("this settles after them");
      const { status, status_hint: hint } = await show();
      assert.deepEqual([status, hint], [CHANNEL_STATUS.enabled, undefined]);
    });

    it("one refusal disables nothing, the second one in a row does, with the switch on", async () => {
      const { gateway, ask, show, becomes, refused } = await start();
      await gateway.root.data(updateOption, { body: { key: "AutomaticDisableChannelEnabled", value: "true" } });
      await ask(refusal(401));
      await becomes((channel) => channel.status_hint !== undefined);
      assert.equal((await show()).status, CHANNEL_STATUS.enabled);
      await ask(refusal(401));
      await becomes((channel) => channel.status === CHANNEL_STATUS.autoDisabled);
      assert.match((await show()).status_reason ?? "", /refused the key/);
      assert.equal((await refused()).code, "model_unavailable");
    });

    it("[CHSTATE-18] an account that is limited puts the whole channel to sleep, also for other processes, until it wakes or is enabled", async () => {
      const models = ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "o3"];
      const { gateway, id, ask, show, becomes } = await start({ models: models.join(",") });
      for (const model of models.slice(0, 3)) await ask(refusal(429, { retryAfter: 300 }), { model });
      await becomes((channel) => channel.status === CHANNEL_STATUS.dormant);
      const { awake_time: dormantUntil } = await show();
      const secondsLeft = dormantUntil - Date.now() / 1000;
      assert.ok(secondsLeft > 290 && secondsLeft <= 301, `${secondsLeft} s`);
      const refused = await ask("the fourth model", { model: "o3" });
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "60"]);
      const { db } = gateway.testApp.database;
      const { awake_time: stored } = await db
        .selectFrom("channels")
        .select("awake_time")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      assert.equal(stored, dormantUntil, "it is in the database, where other processes and the next one see it");
      const enabled = await gateway.root.data(updateChannel, { body: { id, status: CHANNEL_STATUS.enabled } });
      assert.deepEqual([enabled.status, enabled.awake_time], [CHANNEL_STATUS.enabled, 0]);
      assert.equal((await ask("awake", { model: "o3" })).status, 200);
    });

    it("[CHSTATE-18] a channel that the database says sleeps is not asked", async () => {
      const { gateway, id, ask } = await start();
      const { db } = gateway.testApp.database;
      const dormantUntil = Math.floor(Date.now() / 1000) + 100;
      await db.updateTable("channels").set({ awake_time: dormantUntil }).where("id", "=", id).execute();
      gateway.testApp.deps.changes.announce("channels");
      assert.equal((await ask("asleep")).status, 429);
    });

    it("[CHSTATE-30] [CHSTATE-31] a charge that reaches the limit ends the channel's service, and the system log says so", async () => {
      const { gateway, id, ask, becomes, refused } = await start({ name: "Thrifty", soft_limit_usd: 1 });
      const { db } = gateway.testApp.database;
      await db.updateTable("channels").set({ used_quota: 499_999 }).where("id", "=", id).execute();
      const answer = await ask("the last one", { model: TEST_MODEL });
      assert.equal(answer.status, 200);
      await answer.text();
      await becomes((channel) => channel.status === CHANNEL_STATUS.autoDisabled);
      assert.equal((await refused()).code, "model_unavailable");
      const rows = await db.selectFrom("logs").select("content").where("type", "=", LOG_TYPE.system).execute();
      assert.match(
        rows.map(({ content }) => content).join(),
        /^Channel Thrifty \(\d+\) was disabled\. It has spent \$1\.00 of its limit of \$1\./,
      );
    });
  });
});
