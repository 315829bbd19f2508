import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

/** How a channel looks that was stored before its type's needs were checked. */
const HALF_MADE = [
  { name: "Cloudflare without an account", type: 37, config: '{"user_id":"acc"}', emptied: { config: "" } },
  {
    name: "Vertex without a project",
    type: 42,
    config: '{"region":"global","vertex_ai_project_id":"p"}',
    emptied: { config: "" },
  },
  { name: "Bedrock without a region", type: 33, config: '{"region":"us-east-1"}', emptied: { config: "" } },
  { name: "a knowledge base without its id", type: 21, other: "l", emptied: { other: "" } },
  { name: "Azure without an address", type: 3, base_url: "http://127.0.0.1:1", emptied: { base_url: "" } },
  { name: "an address that is none", type: 8, base_url: "http://127.0.0.1:1", emptied: { base_url: "nowhere" } },
] as const;

describe("a stored channel that lacks what its provider needs", () => {
  let relay: RelayTest;
  let upstream: StubServer;
  let key: string;
  before(async () => {
    relay = await startRelayTest();
    upstream = await relay.upstream();
    key = await relay.addToken();
  });
  after(() => relay.close());

  const call = (model: string, stream: boolean) => relay.post(CHAT, key, chatBody("Hi", { model, stream }));

  for (const { name, emptied, ...fields } of HALF_MADE) {
    it(`${name}: the next channel answers, and alone it is a failure of the provider`, async () => {
      const model = `model-${fields.type}-${fields.type === 8 ? "custom" : "other"}`;
      const body = { name, key: "sk-upstream", models: model, priority: 10, ...fields };
      const { ids } = await relay.root.data(createChannel, { body });
      const [id = 0] = ids;
      await relay.testApp.database.db.updateTable("channels").set(emptied).where("id", "=", id).execute();
      relay.testApp.deps.changes.announce("channels");

      const alone = await call(model, false);
      assert.equal(alone.status, 502);
      assert.equal((await errorOf(alone)).code, "upstream_failed");

      await relay.addChannel(upstream, { models: model, priority: 1 });
      for (const stream of [false, true]) {
        const answer = await call(model, stream);
        assert.equal(answer.status, 200);
        await answer.text();
      }
      const tested = await relay.root.send(testChannel, { params: { id } });
      assert.deepEqual([tested.envelope?.success, tested.envelope?.code], [false, "channel-test-failed"]);

      const { detail, result } = await relay.lastLog();
      assert.equal(result, "ok");
      assert.match(detail, /"failure":"connection: [^"]*Fill in /);
    });
  }
});
