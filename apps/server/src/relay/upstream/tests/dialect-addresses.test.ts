import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createChannel, searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const DEEPSEEK = 36;
const MODEL = "deepseek-chat";
const CHANNEL = { type: DEEPSEEK, name: "main", key: "sk-shared", models: MODEL };

describe("a channel with dialects at addresses of their own", () => {
  let relay: RelayTest;
  let stub: StubServer;
  let key: string;
  before(async () => {
    relay = await startRelayTest();
    stub = await relay.upstream();
    key = await relay.addToken();
    const dialect_urls = JSON.stringify({ anthropic: stub.at("anthropic"), responses: `${stub.at("openai")}/v1/` });
    await relay.addChannel(stub, { ...CHANNEL, dialect_urls });
  });
  after(() => relay.close());

  const message = { model: MODEL, max_tokens: 50, messages: [{ role: "user", content: "count with me" }] };

  async function requestOf(path: string, body: object) {
    stub.clearRequests();
    const reply = await relay.post(path, key, body);
    assert.equal(reply.status, 200, await reply.clone().text());
    const answer = await reply.text();
    const [request] = stub.requests;
    assert.ok(request);
    return { request, answer };
  }

  it("sends a request of such a dialect there, unchanged, with the channel's key, and charges it", async () => {
    const top_k = 7;
    const { request, answer } = await requestOf("/v1/messages", { ...message, top_k });
    assert.deepEqual([request.vendor, request.path], ["anthropic", "/v1/messages"]);
    assert.deepEqual(request.body, { ...message, top_k });
    assert.equal(request.headers["x-api-key"], "sk-shared");
    assert.equal(request.headers["x-one-api-hops"], "1");
    assert.match(answer, /count with me/);
    const { quota, prompt_tokens } = await relay.lastLog();
    assert.ok(quota > 0 && prompt_tokens > 0);
  });

  it("sends other requests to the address of the channel", async () => {
    const { request } = await requestOf(CHAT, chatBody("hi", { model: MODEL }));
    assert.deepEqual([request.vendor, request.path], ["deepseek", "/v1/chat/completions"]);
  });

  it("serves an API that its type lacks, at an address with a version", async () => {
    const { request } = await requestOf("/v1/responses", { model: MODEL, input: "hi" });
    assert.deepEqual([request.vendor, request.path], ["openai", "/v1/responses"]);
  });

  it("counts tokens there", async () => {
    const { request } = await requestOf("/v1/messages/count_tokens", { ...message, max_tokens: undefined });
    assert.equal(request.vendor, "anthropic");
  });

  it("tests each address, and fails with the address that fails", async () => {
    const [channel] = await relay.root.data(searchChannels, { query: { keyword: "main" } });
    const path = { params: { id: channel?.id ?? 0 } };
    stub.clearRequests();
    assert.equal((await relay.root.send(testChannel, path)).envelope?.success, true);
    assert.deepEqual(
      stub.requests.map(({ vendor }) => vendor),
      ["deepseek", "anthropic"],
    );
    stub.setBehaviour(({ vendor }) => (vendor === "anthropic" ? { kind: "refuse", status: 503 } : { kind: "normal" }));
    assert.equal((await relay.root.send(testChannel, path)).envelope?.success, false);
    const [tested] = await relay.root.data(searchChannels, { query: { keyword: "main" } });
    assert.match(tested?.last_test?.address ?? "", /anthropic\/v1\/messages$/);
    stub.setBehaviour({ kind: "normal" });
  });

  it("fails over to another channel when the address fails", async () => {
    await relay.addChannel(stub, { name: "other", models: MODEL, priority: -1 });
    stub.setBehaviour(({ vendor }) => (vendor === "anthropic" ? { kind: "refuse", status: 503 } : { kind: "normal" }));
    await requestOf("/v1/messages", message);
    assert.deepEqual([...new Set(stub.requests.map(({ vendor }) => vendor))], ["anthropic", "openai"]);
    stub.setBehaviour({ kind: "normal" });
  });

  describe("in the form", () => {
    const add = (dialect_urls: string) =>
      relay.root.send(createChannel, { body: { ...CHANNEL, name: "new", dialect_urls } });
    const idOfMain = async () => {
      const [found] = await relay.root.data(searchChannels, { query: { keyword: "main" } });
      return found?.id ?? 0;
    };

    for (const [what, address, code] of [
      ["a cloud metadata address", "http://169.254.169.254/latest", "channel-base-url-metadata"],
      ["a login", "https://me:word@api.example.com", "channel-base-url-login"],
      ["a query", "https://api.example.com/?a=b", "channel-base-url-query"],
      ["another protocol", "ftp://api.example.com", "invalid-input"],
    ] as const) {
      it(`refuses ${what} and names the field`, async () => {
        const { envelope } = await add(JSON.stringify({ anthropic: address }));
        assert.equal(envelope?.code, code);
        assert.equal(envelope.field, "dialect_urls");
      });
    }

    it("refuses an unknown dialect", async () => {
      const { envelope } = await add('{"cohere":"https://api.example.com"}');
      assert.equal(envelope?.field, "dialect_urls");
    });

    it("requires the key again before a new address gets it", async () => {
      const id = await idOfMain();
      const dialect_urls = JSON.stringify({ anthropic: "https://attacker.example" });
      const { envelope } = await relay.root.send(updateChannel, { body: { id, dialect_urls } });
      assert.equal(envelope?.code, "channel-key-for-new-address");
      const typed = await relay.root.data(updateChannel, { body: { id, dialect_urls, key: "sk-shared" } });
      assert.equal(typed.dialect_urls, dialect_urls);
      const removed = await relay.root.data(updateChannel, { body: { id, dialect_urls: "" } });
      assert.equal(removed.dialect_urls, "");
    });
  });
});
