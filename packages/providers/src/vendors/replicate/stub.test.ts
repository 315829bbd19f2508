import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import Replicate from "replicate";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const MODEL = "meta/meta-llama-3-8b-instruct";

async function connect(t: TestContext) {
  const { upstream } = await withStubServer(t);
  return {
    upstream,
    client: new Replicate({ auth: "r8_test", baseUrl: `${upstream.at("replicate")}/v1`, useFileOutput: false }),
  };
}

suite("Replicate's API through the replicate SDK", () => {
  test("streams the output of a model, and of one of its versions", async (t) => {
    const { client } = await connect(t);
    const version = `${MODEL}:${"0a".repeat(32)}` as const;
    for (const model of [MODEL, version] as const) {
      const events = await collect(client.stream(model, { input: { prompt: "hello", max_tokens: 2 } }));
      assert.equal(events.map(({ event, data }) => (event === "output" ? data : "")).join(""), "You said:");
      assert.equal(events.at(-1)?.event, "done");
    }
  });

  test("makes one picture or a list, or gives the reason for none", async (t) => {
    const { client, upstream } = await connect(t);
    const ask = async (input: object) =>
      await client.run("black-forest-labs/flux-schnell", {
        input: { prompt: "a house", ...input },
        wait: { mode: "poll", interval: 1 },
      });
    assert.match(JSON.stringify(await ask({})), /^"http.+\/pictures\//);
    const two = await ask({ num_outputs: 2 });
    assert.equal(Array.isArray(two) && two.length, 2);
    upstream.setBehaviour({ kind: "error-in-stream" });
    await assert.rejects(ask({}), /flagged/);
  });

  test("cancels a prediction, lists models, and refuses invalid requests", async (t) => {
    const { client } = await connect(t);
    const { id } = await client.predictions.create({ model: MODEL, input: { prompt: "hello" } });
    assert.equal((await client.predictions.get(id)).status, "succeeded");
    assert.equal((await client.predictions.cancel(id)).status, "canceled");
    const { models = [] } = await client.collections.get("language-models");
    assert.ok(models.length > 0);
    await assert.rejects(client.predictions.create({ model: MODEL, input: {} }), /prompt is required/);
  });
});
