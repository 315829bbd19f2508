import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import type { OpenAI } from "openai";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

let gateway: RelayTest;
let openai: OpenAI;

before(async () => {
  gateway = await startRelayTest();
  openai = gateway.sdk(await gateway.addToken());
});
after(() => gateway.close());

const ask = (model: string) =>
  openai.chat.completions.create({ model, max_tokens: 100, messages: [{ role: "user", content: "hello" }] });

describe("Baidu's older API", () => {
  const model = "ERNIE-4.0-8K";
  let upstream: StubServer;
  const paths = () => upstream.requests.map(({ path }) => path.split("/").at(-1));

  before(async () => {
    upstream = await startStubServer({ keys: ["api|secret"] });
    await gateway.addChannel(upstream, { type: 15, key: "api|secret", models: model });
  });
  after(() => upstream.close());
  beforeEach(() => {
    upstream.setBehaviour({ kind: "normal" });
    upstream.clearRequests();
  });

  it("is given one token for all calls", async () => {
    await Promise.all([ask(model), ask(model), ask(model)]);
    await ask(model);
    assert.deepEqual(paths(), ["token", ...Array.from({ length: 4 }, () => "completions_pro")]);
  });

  it("that refuses a token gets another one in the same attempt", async () => {
    let refusals = 1;
    upstream.setBehaviour(() => (refusals-- > 0 ? { kind: "refuse", status: 401 } : { kind: "normal" }));
    const answer = await ask(model);
    assert.equal(answer.choices[0]?.message.content, "You said: hello");
    assert.deepEqual(paths(), ["completions_pro", "token", "completions_pro"]);
    const tokens = upstream.requests.filter(({ path }) => path.endsWith("_pro")).map(({ query }) => query);
    assert.notEqual(tokens[0], tokens[1]);
    assert.equal((await gateway.lastLog()).result, "ok");
  });

  it("that refuses every token is asked no third time", async () => {
    upstream.setBehaviour({ kind: "refuse", status: 401 });
    await assert.rejects(ask(model), /502/);
    assert.deepEqual(paths(), ["completions_pro", "token", "completions_pro"]);
    assert.equal((await gateway.lastLog()).result, "provider-refused");
  });

  it("whose key is wrong is passed over, and the reason is told to administrators alone", async () => {
    const wrong = "ERNIE-3.5-8K";
    await gateway.addChannel(upstream, { type: 15, key: "api|wrong", models: wrong, priority: 10 });
    await gateway.addChannel(upstream, { type: 15, key: "api|secret", models: wrong });
    const answer = await ask(wrong);
    assert.equal(answer.choices[0]?.message.content, "You said: hello");
    const log = await gateway.lastLog();
    assert.equal(log.result, "ok");
    assert.match(log.detail, /bad-credential/);
    assert.doesNotMatch(JSON.stringify(answer) + log.detail, /wrong|secret/);
  });
});

describe("Tencent's cloud API", () => {
  it("refuses a wrong signature, and the channel is passed over", async () => {
    const model = "hunyuan-large";
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { type: 23, key: "app|id|another", models: model, priority: 10 });
    await gateway.addChannel(upstream, { type: 23, key: "app|id|key-of-id", models: model });
    const answer = await ask(model);
    assert.equal(answer.choices[0]?.message.content, "You said: hello");
    const log = await gateway.lastLog();
    assert.match(log.detail, /bad-credential/);
    assert.doesNotMatch(log.detail, /another|key-of-id/);
  });

  it("is charged for all that it writes, because no limit reaches it", async () => {
    const upstream = await gateway.upstream();
    upstream.setBehaviour({ kind: "normal", pieces: 500 });
    await gateway.addChannel(upstream, { type: 23, key: "app|id|key-of-id", models: "hunyuan-code" });
    const messages = [{ role: "user" as const, content: "hello" }];
    await openai.chat.completions.create({ model: "hunyuan-code", max_tokens: 1, messages });
    assert.equal((await gateway.lastLog()).completion_tokens, 500);
  });
});
