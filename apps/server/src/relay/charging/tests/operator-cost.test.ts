import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { listOwnLogs } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
/** 1,000 × $2.50 + 100 × $10 per million, in quota. */
const LISTED = 1_750;

for (const kind of DATABASE_KINDS) {
  describe(`what a request costs the operator on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let gateway: RelayTest;
    let upstream: StubServer;
    let key: string;
    before(async () => {
      gateway = await startRelayTest({ kind });
      upstream = await gateway.upstream();
      upstream.setBehaviour({ kind: "usage-override", report: "given", usage });
      key = await gateway.addToken();
    });
    after(() => gateway.close());

    /** Charge and cost of one call of the model, over a channel of its own. */
    async function spend(model: string, costs: string, mapping = "") {
      await gateway.addChannel(upstream, { models: model, costs, model_mapping: mapping });
      const answer = await gateway.post(CHAT, key, { model, messages: [{ role: "user", content: "hello" }] });
      assert.equal(answer.status, 200, await answer.text());
      const { db } = gateway.testApp.database;
      const row = db.selectFrom("logs").select(["quota", "cost", "first_byte_ms", "elapsed_time"]);
      return row.where("model_name", "=", model).orderBy("id", "desc").executeTakeFirstOrThrow();
    }

    test("is the maintained list's price, whatever callers pay", async () => {
      await setOptions(gateway.testApp, { GroupRatio: '{"default":3}' });
      const { quota, cost, first_byte_ms, elapsed_time } = await spend("gpt-4o", "");
      assert.deepEqual([quota, cost], [3 * LISTED, LISTED]);
      assert.ok(first_byte_ms <= elapsed_time);
      await setOptions(gateway.testApp, { GroupRatio: '{"default":1}' });
    });

    test("is the channel's own price, by the name that the provider is asked for, or a part of the list's", async () => {
      const own = '{"gpt-4o":{"input":1,"output":2},"*":{"factor":0.5}}';
      assert.equal((await spend("cheap", own, '{"cheap":"gpt-4o"}')).cost, 600);
      assert.equal((await spend("half", own, '{"half":"gpt-4o-2024-08-06"}')).cost, LISTED / 2);
      assert.equal((await spend("gift", '{"*":{"input":0,"output":0}}', '{"gift":"gpt-4o"}')).cost, 0);
    });

    test("is not known for a model that nobody knows a price of, and nothing for what is not delivered", async () => {
      const { quota, cost } = await spend("homemade-7b", '{"*":{"factor":0.5}}');
      assert.deepEqual([quota > 0, cost], [true, -1]);
      const refused = await gateway.post(CHAT, key, { model: "no-such-model", messages: [] });
      assert.ok(refused.status >= 400);
      await gateway.books();
      const { db } = gateway.testApp.database;
      const row = await db.selectFrom("logs").select("cost").where("result", "=", "refused").executeTakeFirstOrThrow();
      assert.equal(row.cost, 0);
    });

    test("is no caller's business, and a price that cannot be is refused by name", async () => {
      const [log] = await gateway.root.data(listOwnLogs, { query: {} });
      assert.ok(log !== undefined && !("cost" in log));
      for (const costs of ['{"m":{"input":-1,"output":0}}', '{"m":{"input":0,"output":1}}', '{"m":2}', "[]", "{"]) {
        const body = { type: 1, name: "n", key: "k", costs };
        const answer = await gateway.root.send(createChannel, { body });
        assert.equal(answer.status, 400, costs);
        assert.match(answer.text, /costs must be a JSON object/);
      }
    });
  });
}
