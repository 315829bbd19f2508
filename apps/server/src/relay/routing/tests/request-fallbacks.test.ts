import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const [CHEAP, DEAR, CLAUDE] = ["gpt-4o-mini", "gpt-4o", "claude-opus-4-5"];
const MESSAGES = "/v1/messages";

describe("a request with fallbacks", () => {
  let gateway: RelayTest;
  let cheap: StubServer;
  let dear: StubServer;
  let claude: StubServer;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    [cheap, dear, claude] = [await gateway.upstream(), await gateway.upstream(), await gateway.upstream()];
    await gateway.addChannel(cheap, { name: "cheap", models: CHEAP });
    await gateway.addChannel(dear, { name: "dear", models: DEAR });
    await gateway.addChannel(claude, { name: "claude", type: 14, models: CLAUDE });
    await setOptions(gateway.testApp, { RetryTimes: "0" });
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  const ask = (more: Record<string, unknown>, as = key, path = CHAT) =>
    gateway.post(path, as, chatBody("hello", { model: CHEAP, ...more }));
  const sentTo = (upstream: StubServer) => recordOf(JSON.parse(upstream.requests.at(-1)?.bodyText ?? "{}"));

  for (const [what, fields] of [
    ["models of OpenRouter", { models: [CHEAP, DEAR], route: "fallback" }],
    ["fallbacks of LiteLLM", { fallbacks: [DEAR] }],
    ["fallbacks of Anthropic", { fallbacks: [{ model: DEAR }] }],
  ] as const) {
    it(`is answered by its first model, or the next one at that one's price: ${what}`, async () => {
      const first = await ask(fields);
      assert.deepEqual([first.status, first.headers.get("x-served-model")], [200, null]);
      await first.text();
      const charge = (await gateway.lastLog()).quota;
      assert.deepEqual(
        ["models", "fallbacks", "route"].filter((name) => name in sentTo(cheap)),
        [],
        "no provider receives the fields",
      );
      cheap.setBehaviour({ kind: "refuse", status: 500 });
      for (const stream of [false, true]) {
        const next = await ask({ ...fields, stream });
        assert.deepEqual([next.status, next.headers.get("x-served-model")], [200, DEAR]);
        await next.text();
        const { model_name, quota, detail } = await gateway.lastLog();
        assert.deepEqual([model_name, recordOf(JSON.parse(detail))["alias"]], [DEAR, CHEAP]);
        assert.ok(quota > charge);
      }
    });
  }

  it("may name models of other formats, also as a message", async () => {
    const body = { model: CLAUDE, max_tokens: 50, fallbacks: [{ model: DEAR }] };
    assert.equal((await ask(body, key, MESSAGES)).status, 200);
    assert.equal("fallbacks" in sentTo(claude), false);
    claude.setBehaviour({ kind: "refuse", status: 529 });
    const answer = await ask(body, key, MESSAGES);
    assert.equal(answer.status, 200);
    assert.equal(recordOf(await answer.json())["model"], DEAR);
    assert.equal(answer.headers.get("x-dropped-fields"), null);
    const reached = await ask({ fallbacks: [CLAUDE], model: "no-such-model" });
    assert.equal(reached.status, 503, "its only channel is in cooldown");
  });

  it("gets only models that its token may call", async () => {
    const limited = await gateway.addToken({ models: CHEAP });
    const refused = await ask({ fallbacks: [DEAR] }, limited);
    const error = await errorOf(refused);
    assert.deepEqual([refused.status, error.code], [403, "model_not_allowed"]);
    assert.match(error.message, /gpt-4o\./);
  });

  it("reserves for the dearest model", async () => {
    const { client } = await gateway.testApp.logInAs("user", { quota: 1_000 });
    const poor = await gateway.addToken({ unlimited_quota: true }, client);
    assert.equal((await ask({ max_tokens: 200 }, poor)).status, 200);
    const refused = await ask({ max_tokens: 200, fallbacks: [DEAR] }, poor);
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [403, "insufficient_quota"]);
  });

  it("may name aliases", async () => {
    await setOptions(gateway.testApp, { ModelAliases: JSON.stringify({ big: [DEAR] }) });
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    const answer = await ask({ fallbacks: ["big"] });
    assert.deepEqual([answer.status, answer.headers.get("x-served-model")], [200, DEAR]);
  });

  for (const [fields, param] of [
    [{ fallbacks: "default" }, "fallbacks.0"],
    [{ fallbacks: [{ model: DEAR, max_tokens: 100_000 }] }, "fallbacks.0"],
    [{ models: [CHEAP, 7] }, "models.1"],
    [{ models: [""] }, "models.0"],
    [{ models: Array.from({ length: 9 }, () => DEAR) }, "models"],
    [{ models: [DEAR], fallbacks: [DEAR] }, "fallbacks"],
    [{ models: [DEAR], route: "sort" }, "route"],
    [{ route: "fallback" }, "route"],
    [{ Models: [DEAR] }, "Models"],
  ] as const) {
    it(`is refused by the name of the field: ${JSON.stringify(fields).slice(0, 60)}`, async () => {
      const refused = await ask(fields);
      const { error } = recordOf(await refused.json());
      assert.deepEqual([refused.status, recordOf(error)["param"]], [400, param]);
      assert.equal(cheap.requests.length, 0);
    });
  }
});
