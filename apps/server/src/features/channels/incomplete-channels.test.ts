import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel, updateChannel } from "@one-api/contract/channels/channel";
import { changeChannels } from "@one-api/contract/channels/channel-bulk";
import type { TestClient } from "../../testing/test-client.ts";
import { type ChannelTestApp, createChannelTestApp } from "./testing/create-channel-test-app.ts";

describe("a channel without a value that its provider requires", () => {
  let app: ChannelTestApp;
  let admin: TestClient;
  before(async () => {
    app = await createChannelTestApp("sqlite");
    admin = await app.clientAs("admin");
  });
  after(() => app.close());

  const create = async (body: object) =>
    (await admin.send(createChannel, { body: { name: "one", key: "sk-good-key-123", models: "m", ...body } })).envelope;
  const update = async (body: object) => (await admin.send(updateChannel, { body })).envelope;
  const refusalOf = (envelope: Awaited<ReturnType<typeof update>>) => [
    envelope?.success,
    envelope?.code,
    envelope?.field,
  ];
  const config = (fields: object) => JSON.stringify(fields);

  const refused: readonly (readonly [what: string, body: object, code: string, field: string])[] = [
    ["Azure without an address", { type: 3 }, "channel-base-url-missing", "base_url"],
    ["Custom without an address", { type: 8 }, "channel-base-url-missing", "base_url"],
    ["Proxy without an address", { type: 43 }, "channel-base-url-missing", "base_url"],
    ["a knowledge base without its id", { type: 21 }, "channel-knowledge-base-missing", "other"],
    ["Bedrock with its own key and no region", { type: 33 }, "channel-region-missing", "config"],
    ["Bedrock in a region of others", { type: 33, key: "AKIA1|secret|here" }, "channel-region-unknown", "config"],
    ["Cloudflare without an account", { type: 37 }, "channel-account-id-missing", "config"],
    [
      "Cloudflare with a blank account",
      { type: 37, config: config({ user_id: " " }) },
      "channel-account-id-missing",
      "config",
    ],
    [
      "Vertex without a project",
      { type: 42, config: config({ region: "global" }) },
      "channel-project-missing",
      "config",
    ],
    [
      "Vertex without a region",
      { type: 42, config: config({ vertex_ai_project_id: "p" }) },
      "channel-region-missing",
      "config",
    ],
    [
      "Vertex in a region of others",
      { type: 42, config: config({ region: "us-east-1", vertex_ai_project_id: "p" }) },
      "channel-region-unknown",
      "config",
    ],
  ];
  for (const [what, body, code, field] of refused) {
    test(`is refused on creation: ${what}`, async () => {
      const answer = await create(body);
      assert.deepEqual(refusalOf(answer), [false, code, field]);
      assert.match(answer?.message ?? "", /Fill in /);
    });
  }

  const taken: readonly (readonly [what: string, body: object])[] = [
    ["Bedrock with a key of three parts", { type: 33, key: "AKIA1|secret|us-east-1" }],
    ["Bedrock with its own key at an address", { type: 33, base_url: "https://bedrock.example" }],
    ["Cloudflare behind its gateway", { type: 37, base_url: "https://gateway.ai.cloudflare.com/v1/a/g/workers-ai" }],
    ["Vertex with a key of three parts", { type: 42, key: 'global|p-1|{"type":"service_account"}' }],
    ["Vertex with an API key", { type: 42, config: config({ region: "global", vertex_ai_project_id: "p" }) }],
    ["a knowledge base in the config", { type: 21, config: config({ library_id: "l" }) }],
    ["Coze without a user", { type: 34 }],
  ];
  for (const [what, body] of taken) {
    test(`is accepted once complete: ${what}`, async () => {
      const answer = await create(body);
      assert.deepEqual([answer?.success, answer?.message], [true, ""]);
    });
  }

  test("is refused if an edit removes the value", async () => {
    const id = await app.addChannel(admin, { type: 37, config: config({ user_id: "acc" }) });
    const answer = await update({ id, config: "{}" });
    assert.deepEqual(refusalOf(answer), [false, "channel-account-id-missing", "config"]);
    assert.equal((await update({ id, name: "renamed" }))?.success, true);
  });

  test("of an older version stays until an edit concerns calls, and cannot be enabled", async () => {
    const id = await app.addChannel(admin, { type: 37, config: config({ user_id: "acc" }), status: 2 });
    await app.testApp.database.db.updateTable("channels").set({ config: "" }).where("id", "=", id).execute();
    assert.equal((await update({ id, priority: 3 }))?.success, true);
    const bulk = (status: number) =>
      admin.data(changeChannels, { body: { changes: [{ ids: [id], set: { status } }] } });
    assert.deepEqual(
      (await bulk(1)).map(({ code }) => code),
      ["channel-account-id-missing"],
    );
    assert.deepEqual(
      (await bulk(2)).map(({ code }) => code),
      [""],
    );
    assert.equal((await update({ id, config: config({ user_id: "acc" }), status: 1 }))?.success, true);
  });
});
