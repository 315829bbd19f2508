import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-sonnet-4-5";

let gateway: RelayTest;
let upstream: StubServer;
let key: string;
let anthropic: Anthropic;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: TEST_MODEL });
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  key = await gateway.addToken();
  anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
});
after(() => gateway.close());
beforeEach(() => upstream.clearRequests());

describe("Anthropic's dialect", () => {
  const body = { model: CLAUDE, max_tokens: 10, messages: [{ role: "user", content: "hello" }] };
  const post = (headers: Record<string, string>, more: JsonRecord = {}, path = "/v1/messages") =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ ...body, ...more }),
    });

  it("takes the key in either header and the older version, and passes version and trials on", async () => {
    const older = await post({ "x-api-key": key, "anthropic-version": "2023-06-01", "anthropic-beta": "x-1,y-2" });
    assert.equal(older.status, 200);
    assert.ok(older.headers.get("request-id"));
    const sent = upstream.requests.at(-1)?.headers;
    assert.deepEqual(
      [sent?.["anthropic-version"], sent?.["anthropic-beta"], sent?.["x-api-key"], sent?.authorization],
      ["2023-06-01", "x-1,y-2", "sk-upstream", undefined],
    );
    assert.equal((await post({ authorization: `Bearer ${key}` })).status, 200);
    assert.equal((await post({ "x-api-key": key, "anthropic-version": "2026-10-21" })).status, 200);
    const newer = upstream.requests.at(-1)?.headers;
    assert.deepEqual([newer?.["x-api-key"], newer?.authorization], [undefined, "Bearer sk-upstream"]);
  });

  it("tells an answer that is written anew in the version that the caller names", async () => {
    const fields = async (version: string): Promise<JsonRecord> => {
      const answer = await post({ "x-api-key": key, "anthropic-version": version }, { model: TEST_MODEL });
      return recordOf(await answer.json());
    };
    assert.equal("stop_details" in (await fields("2023-06-01")), false);
    assert.equal("stop_details" in (await fields("2026-10-21")), true);
  });

  it("has Anthropic's own client go on without a thread where the provider keeps none", async () => {
    const refused = await post({ "x-api-key": key }, { model: TEST_MODEL, thread: { type: "create" } });
    const { error } = recordOf(await refused.json());
    assert.deepEqual(
      [refused.status, recordOf(error).details],
      [400, { error_code: "thread_unsupported_request", unsupported: ["thread"] }],
    );
    const tool = {
      type: "custom" as const,
      name: "weather",
      description: "Tells the weather.",
      input_schema: { type: "object" as const, properties: {} },
      run: () => "Sun",
      parse: (input: unknown) => input,
    };
    const messages = [{ role: "user" as const, content: "hello" }];
    const ask = { model: TEST_MODEL, max_tokens: 50, messages, tools: [tool], max_iterations: 1 };
    const { type, role } = await anthropic.beta.messages.toolRunner(ask).runUntilDone();
    assert.deepEqual([type, role], ["message", "assistant"]);
  });

  it("refuses in its own shape: no key, a strange version, a strange body, a conversation that another keeps", async () => {
    const rows = [
      [401, "authentication_error", {}, {}],
      [400, "invalid_request_error", { "x-api-key": key, "anthropic-version": "2020-01-01" }, {}],
      [400, "invalid_request_error", { "x-api-key": key }, { messages: "hello" }],
      [400, "invalid_request_error", { "x-api-key": key }, { model: TEST_MODEL, thread: { type: "new" } }],
      [404, "not_found_error", { "x-api-key": key }, { model: "nobody" }],
    ] as const;
    for (const [status, type, headers, more] of rows) {
      const answer = await post(headers, more);
      const told = recordOf(await answer.json());
      assert.deepEqual([answer.status, told.type, recordOf(told.error).type], [status, "error", type]);
      assert.equal(told.request_id, answer.headers.get("request-id"));
    }
    const poor = await gateway.addToken({ remain_quota: 1 });
    const refused = await post({ "x-api-key": poor });
    assert.equal(recordOf(recordOf(await refused.json()).error).type, "billing_error");
  });

  it("counts prompts for nothing, by the provider where it counts, else here", async () => {
    const { charged } = await gateway.books();
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "one two three" }];
    assert.equal((await anthropic.messages.countTokens({ model: CLAUDE, messages })).input_tokens, 6);
    assert.equal(upstream.requests.at(-1)?.path, "/v1/messages/count_tokens");
    upstream.clearRequests();
    const system = "word ".repeat(100);
    const local = await anthropic.messages.countTokens({ model: TEST_MODEL, system, messages });
    assert.ok(local.input_tokens > 100 && local.input_tokens < 150, String(local.input_tokens));
    assert.equal(upstream.requests.length, 0);
    const nobody = await post({ "x-api-key": key }, { model: "nobody" }, "/v1/messages/count_tokens");
    assert.equal(nobody.status, 404);
    assert.equal((await gateway.books()).charged, charged);
  });

  it("lists models in its own form", async () => {
    const ids: string[] = [];
    for await (const model of anthropic.models.list()) ids.push(model.id);
    assert.deepEqual(ids.toSorted(), [TEST_MODEL, CLAUDE].toSorted());
    assert.equal((await anthropic.models.retrieve(CLAUDE)).type, "model");
  });

  it("takes a prompt apart that a small balance cannot cover, and asks for no more than was set aside", async () => {
    const poor = await gateway.addToken({ remain_quota: 8_000 });
    const system = [{ type: "text", text: "word ".repeat(2_000) }];
    const refused = await post({ "x-api-key": poor }, { system, max_tokens: 1_000 });
    assert.equal(recordOf(recordOf(await refused.json()).error).type, "billing_error");
    const { status } = await post({ "x-api-key": poor }, { max_tokens: undefined });
    assert.equal(status, 200);
    const limit = recordOf(upstream.requests.at(-1)?.body).max_tokens;
    assert.ok(typeof limit === "number" && limit * 7.5 <= 8_000);
  });
});

describe("what costs more", () => {
  it("is set aside and charged: an hour in the cache, speed, searches", async () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 20 },
      output_tokens: 5,
      speed: "fast",
      server_tool_use: { web_search_requests: 2 },
    };
    const fake = JSON.stringify({ kind: "usage-override", report: "given", usage });
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key },
      body: JSON.stringify({
        model: CLAUDE,
        max_tokens: 100,
        speed: "fast",
        tools: [{ type: "web_search_20250305", name: "web_search" }],
        messages: [{ role: "user", content: `[[fake: ${fake}]]` }],
      }),
    });
    assert.equal(answer.status, 200);
    await gateway.testApp.deps.relay.inFlight.idle();
    const books = await gateway.books();
    assert.deepEqual([books.open, books.differences], [0, 0]);
    const log = books.logs.findLast(({ result }) => result === "ok");
    assert.ok(log !== undefined);
    // $3 and $15 a million, six times for speed; an hour in the cache costs twice the input; $10 for a thousand searches.
    const dollars = (6 * (10 * 3 + 20 * 6 + 5 * 15)) / 1e6 + 2 / 100;
    assert.equal(log.quota, Math.ceil(Number((dollars * 500_000).toFixed(6))));
    assert.match(log.detail, /"long-cache-write",20,12/);
  });
});

describe("a conversation that Anthropic keeps", () => {
  it("is gone on with by the account that keeps it, and by no channel of another API", async () => {
    const model = "claude-opus-5";
    const [left, right, other] = [await gateway.upstream(), await gateway.upstream(), await gateway.upstream()];
    await gateway.addChannel(right, { type: 14, models: model, key: "sk-right" });
    await gateway.addChannel(other, { models: model, priority: 5 });
    const send = async (thread: JsonRecord): Promise<JsonRecord> => {
      const answer = await fetch(`${gateway.url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2026-10-21" },
        body: JSON.stringify({ model, max_tokens: 10, thread, messages: [{ role: "user", content: "hello" }] }),
      });
      return recordOf(await answer.json());
    };
    let { id } = await send({ type: "new" });
    await gateway.addChannel(left, { type: 14, models: model, key: "sk-left", priority: 9 });
    for (let turn = 1; turn <= 3; turn += 1) {
      const next = await send({ type: "continue", previous_message_id: id });
      assert.equal(next.type, "message", JSON.stringify(next));
      id = next.id;
    }
    assert.deepEqual(
      [other, left, right].map(({ requests }) => requests.length),
      [0, 3, 4],
    );
    const lost = await send({ type: "continue", previous_message_id: "msg_of_nobody" });
    assert.equal(recordOf(recordOf(lost.error).details).error_code, "thread_not_found");
  });
});
