import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { NotFoundError } from "openai";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

suite("models through the openai SDK", () => {
  test("the list has the configured models", async (t) => {
    const { client } = await withStubServer(t, { models: ["first", "org/second"] });
    const models = await collect(client.models.list());
    assert.deepEqual(
      models.map(({ id, object }) => `${object} ${id}`),
      ["model first", "model org/second"],
    );
  });

  test("one model can be read, a missing one is a 404 with its code", async (t) => {
    const { client } = await withStubServer(t, { models: ["org/second"] });
    assert.equal((await client.models.retrieve("org/second")).id, "org/second");
    await assert.rejects(client.models.retrieve("third"), (error) => {
      assert.ok(error instanceof NotFoundError);
      assert.equal(error.code, "model_not_found");
      return true;
    });
  });

  test("unknown models are served, unless they are configured to be refused", async (t) => {
    const messages = [{ role: "user" as const, content: "hi" }];
    const open = await withStubServer(t);
    assert.equal((await open.client.chat.completions.create({ model: "any", messages })).model, "any");
    const strict = await withStubServer(t, { refuseUnknownModels: true });
    await assert.rejects(strict.client.chat.completions.create({ model: "any", messages }), NotFoundError);
  });
});

suite("moderations through the openai SDK", () => {
  test("a text is flagged for the categories that it names", async (t) => {
    const { client } = await withStubServer(t);
    const { results } = await client.moderations.create({ input: ["nice weather", "Violence and hate"] });
    assert.deepEqual(
      results.map((result) => result.flagged),
      [false, true],
    );
    assert.equal(results[1]?.categories.violence, true);
    assert.equal(results[1]?.categories.hate, true);
    assert.equal(results[1]?.categories.sexual, false);
  });

  test("a list of parts is one input", async (t) => {
    const { client } = await withStubServer(t);
    const input = [
      { type: "text" as const, text: "harassment" },
      { type: "image_url" as const, image_url: { url: "https://example.com/a.png" } },
    ];
    const { results } = await client.moderations.create({ input });
    assert.deepEqual(
      results.map((result) => result.flagged),
      [true],
    );
  });
});

suite("billing", () => {
  test("subscription and usage return the configured balance", async (t) => {
    const { upstream } = await withStubServer(t, { balance: { hardLimitUsd: 20, totalUsageCents: 550 } });
    const read = async (path: string): Promise<unknown> => {
      const reply = await fetch(`${upstream.at("openai")}/v1/dashboard/billing/${path}`, {
        headers: { authorization: "Bearer sk-test" },
      });
      return reply.json();
    };
    assert.partialDeepStrictEqual(await read("subscription"), { hard_limit_usd: 20, has_payment_method: true });
    const usage = await read("usage?start_date=2026-01-01&end_date=2026-01-31");
    assert.deepEqual(usage, { object: "list", total_usage: 550 });
    assert.equal(upstream.requests[1]?.query, "start_date=2026-01-01&end_date=2026-01-31");
  });
});
