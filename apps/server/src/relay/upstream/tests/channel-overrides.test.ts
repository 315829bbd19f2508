import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createChannel, searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { after, before, beforeEach, describe, it } from "node:test";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const write = (overrides: object) => JSON.stringify(overrides);

describe("a channel's overrides", () => {
  let relay: RelayTest;
  let upstream: StubServer;
  let key: string;
  let number = 0;
  before(async () => {
    relay = await startRelayTest();
    upstream = await relay.upstream();
    key = await relay.addToken();
  });
  after(() => relay.close());
  beforeEach(() => upstream.clearRequests());

  /** Adds a channel with a model of its own and returns its name. */
  async function add(overrides: object, more: object = {}) {
    const model = `claude-own-${(number += 1)}`;
    await relay.addChannel(upstream, { models: model, name: model, overrides: write(overrides), ...more });
    return model;
  }
  const sent = () => recordOf(upstream.requests.at(-1)?.body);
  const headers = () => upstream.requests.at(-1)?.headers ?? {};

  const OVERRIDES = {
    headers: {
      set: { "X-App": "own" },
      default: { "User-Agent": "gateway/1", "X-Title": "gateway" },
      remove: ["anthropic-beta"],
    },
    body: {
      set: { temperature: 0.25 },
      default: { top_p: 0.5, max_tokens: 77 },
      remove: ["stop", "stop_sequences", "metadata.user_id"],
    },
  };

  for (const [what, type, path] of [
    ["bytes that pass untouched", 1, CHAT],
    ["a translated request", 14, CHAT],
    ["a passed message", 14, "/v1/messages"],
  ] as const) {
    for (const stream of [false, true]) {
      it(`change ${what}${stream ? ", as a stream" : ""}`, async () => {
        const model = await add(OVERRIDES, { type });
        const body = {
          ...chatBody("hi", { model, stream, temperature: 1, metadata: { user_id: "u", other: "x" } }),
          max_tokens: undefined,
        };
        const asked = path === CHAT ? { ...body, stop: ["x"] } : { ...body, max_tokens: 20, stop_sequences: ["x"] };
        const beta = path === CHAT ? {} : { "anthropic-version": "2023-06-01", "anthropic-beta": "some-beta" };
        const answer = await relay.post(path, key, asked, { "x-title": "client", ...beta });
        assert.equal(answer.status, 200, await answer.text());
        const { temperature, top_p, max_tokens, stop, stop_sequences, metadata } = sent();
        assert.deepEqual([temperature, top_p, max_tokens], [0.25, 0.5, path === CHAT ? 77 : 20]);
        assert.deepEqual([stop, stop_sequences, recordOf(metadata)["user_id"]], [undefined, undefined, undefined]);
        const got = headers();
        assert.deepEqual([got["x-app"], got["x-title"], got["anthropic-beta"]], ["own", "client", undefined]);
        assert.notEqual(got["user-agent"], "gateway/1", "the client has sent its own");
        assert.ok(got["authorization"] ?? got["x-api-key"], "the key stays");
      });
    }
  }

  it("reach the provider in a test of the channel too", async () => {
    const model = await add(OVERRIDES);
    const [channel] = await relay.root.data(searchChannels, { query: { keyword: model } });
    await relay.root.data(testChannel, { params: { id: channel?.id ?? 0 }, query: { model } });
    assert.deepEqual(
      [sent()["temperature"], headers()["user-agent"], headers()["x-title"]],
      [0.25, "gateway/1", "gateway"],
    );
  });

  it("change the headers alone of images and embeddings", async () => {
    const model = await add(OVERRIDES);
    for (const [path, body] of [
      ["/v1/embeddings", { model, input: "hi" }],
      ["/v1/images/generations", { model, prompt: "a cat" }],
    ] as const) {
      await (await relay.post(path, key, body)).text();
      assert.deepEqual(
        [headers()["x-app"], sent()["temperature"], sent()["top_p"]],
        ["own", undefined, undefined],
        path,
      );
    }
  });

  it("leave the caller's spelling of other fields", async () => {
    const model = await add({ body: { set: { "options.seed": 1 } } });
    const text = `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"max_tokens":9,"big":12345678901234567890, "options" : {"x":1.50}}`;
    await (await relay.post(CHAT, key, text)).text();
    const { bodyText } = upstream.requests.at(-1) ?? {};
    assert.match(bodyText ?? "", /"big":12345678901234567890, "options" : \{"x":1\.50,"seed":1\}/);
  });

  it("that are refused name the header or field", async () => {
    for (const [overrides, message] of [
      [
        { body: { set: { model: "dear" } } },
        "overrides: model cannot be changed, because it decides the route or the price. Leave it out.",
      ],
      [
        { headers: { set: { Authorization: "x" } } },
        "overrides: Authorization would carry a credential. Put it into the channel's key, which is stored encrypted.",
      ],
    ] as const) {
      const body = { type: 1, name: "n", key: "sk-1", models: "m", overrides: write(overrides) };
      const { envelope } = await relay.root.send(createChannel, { body });
      assert.deepEqual([envelope?.code, envelope?.field, envelope?.message], ["invalid-input", "overrides", message]);
    }
    const model = await add(OVERRIDES);
    const [channel] = await relay.root.data(searchChannels, { query: { keyword: model } });
    const wrong = await relay.root.send(updateChannel, { body: { id: channel?.id ?? 0, overrides: "{" } });
    assert.match(wrong.envelope?.message ?? "", /^overrides must be a JSON object/);
    const emptied = await relay.root.data(updateChannel, { body: { id: channel?.id ?? 0, overrides: "" } });
    assert.equal(emptied.overrides, "");
  });

  describe("and their charge", () => {
    const chargeOf = async (overrides: object, more: object = {}, told: object = {}) => {
      const model = `priced-${(number += 1)}`;
      await setOptions(relay.testApp, { ModelRatio: JSON.stringify({ [model]: 1 }) });
      const server = createServer((request, reply) => {
        request.resume().on("end", () => {
          reply.writeHead(200, { "content-type": "application/json" });
          reply.end(JSON.stringify({ ...ANSWER, ...told }));
        });
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      await relay.addChannel({ url: `http://127.0.0.1:${port}` }, { models: model, overrides: write(overrides) });
      const answer = await relay.post(CHAT, key, chatBody("hi", { model, ...more }));
      assert.equal(answer.status, 200, await answer.text());
      server.closeAllConnections();
      server.close();
      return (await relay.lastLog()).quota;
    };
    const ANSWER = {
      id: "x",
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 },
    };

    it("have the price of the tier that was sent, where no answer names one", async () => {
      const plain = await chargeOf({});
      const tier = (service_tier: string) => ({ body: { set: { service_tier } } });
      assert.equal(await chargeOf(tier("ultrafast")), plain * 6);
      assert.equal(await chargeOf(tier("ultrafast"), {}, { service_tier: "default" }), plain);
      assert.equal(await chargeOf(tier("default"), { service_tier: "ultrafast" }), plain, "the client's is not sent");
      assert.equal(await chargeOf({ body: { remove: ["service_tier"] } }, { service_tier: "ultrafast" }), plain);
      const byDefault = { body: { default: { service_tier: "ultrafast" } } };
      assert.equal(await chargeOf(byDefault), plain * 6);
      assert.equal(await chargeOf(byDefault, { service_tier: "default" }), plain);
      assert.equal(await chargeOf({ body: { set: { speed: "fast" } } }), plain * 6);
    });

    for (const [what, overrides, more] of [
      ["a longer answer", { body: { set: { max_tokens: 20_000 } } }, { max_tokens: 1 }],
      ["an answer without the client's limit", { body: { remove: ["max_tokens"] } }, { max_tokens: 1 }],
      ["an answer of the default length", { body: { default: { max_tokens: 20_000 } } }, { max_tokens: undefined }],
      [
        "thoughts beside the limit",
        { body: { set: { thinking: { type: "enabled", budget_tokens: 20_000 } } } },
        { max_tokens: 1 },
      ],
      ["a dearer tier", { body: { set: { service_tier: "some-new-tier" } } }, { max_tokens: 500 }],
      ["a long prompt", { body: { set: { instructions: "a".repeat(9_000) } } }, { max_tokens: 1 }],
    ] as const) {
      it(`cannot be ${what} on a balance for less`, async () => {
        const [plain, model] = [await add({}), await add(overrides)];
        await setOptions(relay.testApp, { ModelRatio: JSON.stringify({ [plain]: 1, [model]: 1 }) });
        const poor = await relay.addToken({ remain_quota: 2_000 });
        assert.equal((await relay.post(CHAT, poor, chatBody("hi", { model: plain, ...more }))).status, 200);
        const answer = await relay.post(CHAT, poor, chatBody("hi", { model, ...more }));
        assert.deepEqual([answer.status, (await errorOf(answer)).code], [403, "insufficient_quota"]);
        assert.equal(upstream.requests.length, 1);
      });
    }

    it("are reserved by the limit that they set, and the balance caps none of it", async () => {
      const model = await add({ body: { set: { max_tokens: 50 } } });
      const rich = await relay.addToken({ remain_quota: 500_000 });
      await (await relay.post(CHAT, rich, { ...chatBody("hi", { model }), max_tokens: undefined })).text();
      assert.equal(sent()["max_tokens"], 50);
    });
  });
});
