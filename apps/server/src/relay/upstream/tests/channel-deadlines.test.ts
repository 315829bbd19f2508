import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { after, before, beforeEach, describe, it } from "node:test";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

describe("a channel's own deadline", () => {
  let relay: RelayTest;
  let key: string;
  let silent: Server;
  /** What the provider does with a request. */
  let answer: (response: ServerResponse) => void;
  let number = 0;
  before(async () => {
    relay = await startRelayTest();
    key = await relay.addToken();
    silent = createServer((request, response) => {
      request.resume().on("end", () => answer(response));
    });
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
  });
  after(async () => {
    silent.closeAllConnections();
    silent.close();
    await relay.close();
  });
  beforeEach(() => (number += 1));

  async function add(more: object) {
    const address = silent.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    await relay.addChannel({ url }, { name: `slow-${number}`, models: `model-${number}`, ...more });
    return `model-${number}`;
  }

  async function addOther(model: string) {
    await relay.addChannel(await relay.upstream(), { name: `other-${number}`, models: model, priority: -1 });
  }

  const open = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

  for (const [what, act] of [
    ["sends nothing", () => undefined],
    ["begins a stream and sends nothing", (response: ServerResponse) => open(response).flushHeaders()],
    ["sends comments alone", (response: ServerResponse) => open(response).write(": wait\n\n")],
  ] as const) {
    it(`for the first token leads to another channel if the provider ${what}`, async () => {
      answer = act;
      const model = await add({ first_token_seconds: 1 });
      await addOther(model);
      const reply = await relay.post(CHAT, key, chatBody("hi", { model, stream: true }));
      assert.match(await reply.text(), /\[DONE\]/);
      const { attempts } = recordOf(parseJson((await relay.lastLog()).detail));
      const failures = listOf(attempts).map((attempt) => textOf(recordOf(attempt)["failure"]).split(":")[0]);
      assert.deepEqual(failures, ["timeout", ""]);
    });
  }

  it("for the first token leaves a whole answer its time", async () => {
    answer = (response) =>
      setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(WHOLE), 1_200);
    const model = await add({ first_token_seconds: 1 });
    assert.equal((await relay.post(CHAT, key, chatBody("hi", { model }))).status, 200);
  });

  for (const [what, deadline] of [
    ["without a piece", { idle_seconds: 1 }],
    ["for the whole answer", { total_seconds: 1 }],
  ] as const) {
    it(`${what} ends a stream that has begun, and what was delivered is charged`, async () => {
      answer = (response) => open(response).write(chunk("some words of an answer"));
      const model = await add(deadline);
      const reply = await relay.post(CHAT, key, chatBody("hi", { model, stream: true }));
      assert.match(await reply.text(), /some words[^]*"error"/);
      const log = await relay.lastLog();
      assert.deepEqual([log.result, log.completion_tokens > 0, log.quota > 0], ["cut", true, true]);
    });
  }

  it("for the whole answer ends a stream that goes on, and a whole answer", async () => {
    answer = (response) => {
      open(response);
      const timer = setInterval(() => response.write(chunk("word ")), 50);
      response.once("close", () => clearInterval(timer));
    };
    const model = await add({ total_seconds: 1 });
    const reply = await relay.post(CHAT, key, chatBody("hi", { model, stream: true }));
    assert.match(await reply.text(), /word[^]*"error"/);
    answer = () => undefined;
    const whole = await relay.post(CHAT, key, chatBody("hi", { model }));
    assert.equal(whole.status, 504);
    assert.equal((await errorOf(whole)).code, "upstream_timeout");
  });

  it("is a whole number of seconds, at most a day", async () => {
    await add({});
    const [channel] = await relay.root.data(searchChannels, { query: { keyword: `slow-${number}` } });
    for (const idle_seconds of [-1, 0.5, 86_401]) {
      const { envelope } = await relay.root.send(updateChannel, { body: { id: channel?.id ?? 0, idle_seconds } });
      assert.deepEqual([envelope?.code, envelope?.field], ["invalid-input", "idle_seconds"]);
    }
  });

  it("of a pause ends by itself; meanwhile another channel answers, or none", async () => {
    answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end(WHOLE);
    const pausedUntil = Math.ceil(Date.now() / 1_000) + 2;
    const model = await add({ paused_until: pausedUntil });
    const ask = () => relay.post(CHAT, key, chatBody("hi", { model }));
    const refused = await ask();
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [429, "rate_limit_exceeded"]);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    await waitUntil(async () => (await ask()).status === 200);
    assert.ok(Date.now() / 1_000 >= pausedUntil);
  });
});

const WHOLE = JSON.stringify({
  id: "x",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
