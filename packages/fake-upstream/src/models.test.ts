import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { NotFoundError } from "openai";
import { collect } from "./testing/collect.ts";
import { withUpstream } from "./testing/with-upstream.ts";

suite("models through the openai SDK", () => {
  test("the list shows the models it was started with", async (t) => {
    const { client } = await withUpstream(t, { models: ["first", "org/second"] });
    const models = await collect(client.models.list());
    assert.deepEqual(
      models.map(({ id, object }) => `${object} ${id}`),
      ["model first", "model org/second"],
    );
  });

  test("one model can be looked up, a missing one is a 404 with its code", async (t) => {
    const { client } = await withUpstream(t, { models: ["org/second"] });
    assert.equal((await client.models.retrieve("org/second")).id, "org/second");
    await assert.rejects(client.models.retrieve("third"), (error) => {
      assert.ok(error instanceof NotFoundError);
      assert.equal(error.code, "model_not_found");
      return true;
    });
  });

  test("unknown models are served, unless they are to be refused", async (t) => {
    const messages = [{ role: "user" as const, content: "hi" }];
    const open = await withUpstream(t);
    assert.equal((await open.client.chat.completions.create({ model: "any", messages })).model, "any");
    const strict = await withUpstream(t, { refuseUnknownModels: true });
    await assert.rejects(strict.client.chat.completions.create({ model: "any", messages }), NotFoundError);
  });
});
