import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { parseJson } from "@one-api/providers/shared/json-fields";
import { systemClock } from "../../../platform/clock.ts";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const MODEL = "gemini-2.5-flash";
const json = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const event = (type: string, data: object = {}) => `event: ${type}\n${json({ type, ...data })}`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  json({ id: "x", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason }] });
const candidate = (text: string, more: object = {}) =>
  json({ candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }] });

/** What a provider of each format says: its channel type, a word, and the rest. */
const PROVIDERS = {
  chat: { type: 1, word: chunk({ content: "one " }), rest: `${chunk({ content: "two" }, "stop")}data: [DONE]\n\n` },
  claude: {
    type: 14,
    word:
      event("message_start", { message: { id: "x", type: "message", role: "assistant", model: "m", content: [] } }) +
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "one " } }),
    rest:
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "two" } }) +
      event("content_block_stop", { index: 0 }) +
      event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }) +
      event("message_stop"),
  },
  gemini: { type: 24, word: candidate("one "), rest: candidate("two", { finishReason: "STOP" }) },
  responses: {
    type: 1,
    word:
      event("response.created", { response: { id: "resp_1", model: "m", store: false } }) +
      event("response.output_text.delta", { item_id: "m", output_index: 0, content_index: 0, delta: "one " }),
    rest:
      event("response.output_text.delta", { item_id: "m", output_index: 0, content_index: 0, delta: "two" }) +
      event("response.completed", { response: { id: "resp_1", model: "m", status: "completed", output: [] } }),
  },
} as const;

const MESSAGES = { messages: [{ role: "user", content: "hi" }], max_tokens: 100 };
const CONTENTS = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };
const GEMINI = `/v1beta/models/${MODEL}:streamGenerateContent`;
const COMMENT = ": ping\n\n";
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const EMPTY_CHUNK = 'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\n\n';

/** [path, body, provider, keep-alive of the caller's dialect, how an error looks] */
const CALLS: readonly (readonly [
  path: string,
  body: object,
  provider: keyof typeof PROVIDERS,
  ping: string,
  error: RegExp,
])[] = [
  // prettier-ignore
  [CHAT, MESSAGES, "chat", COMMENT, /^: ping\n\ndata: \{"error":.*\n\n$/],
  [CHAT, MESSAGES, "claude", COMMENT, /^: ping\n\ndata: \{"error":.*\n\n$/],
  ["/v1/completions", { prompt: "hi" }, "claude", COMMENT, /^: ping\n\ndata: \{"error":.*\n\n$/],
  ["/v1/responses", { input: "hi" }, "responses", COMMENT, /^: ping\n\nevent: error\ndata: .*\n\n$/],
  ["/v1/responses", { input: "hi" }, "gemini", COMMENT, /^: ping\n\nevent: error\ndata: .*\n\n$/],
  ["/v1/messages", MESSAGES, "claude", PING, /ping"\}\n\nevent: error\ndata: .*\n\n$/],
  ["/v1/messages", MESSAGES, "chat", PING, /ping"\}\n\nevent: error\ndata: .*\n\n$/],
  [`${GEMINI}?alt=sse`, CONTENTS, "gemini", EMPTY_CHUNK, /\n\ndata: \{"error":.*\n\n$/],
  [`${GEMINI}?alt=sse`, CONTENTS, "chat", EMPTY_CHUNK, /\n\ndata: \{"error":.*\n\n$/],
  [GEMINI, CONTENTS, "gemini", "\n", /^\n\[\{"error":.*\}\]$/],
];

describe("a stream whose provider is silent", () => {
  let gateway: RelayTest | undefined;
  let upstreams: RawUpstream[] = [];
  afterEach(async () => {
    await gateway?.close();
    for (const upstream of upstreams) await upstream.close();
    upstreams = [];
  });

  async function start(...types: readonly number[]) {
    const started = await startRelayTest();
    gateway = started;
    const calls: ((response: ServerResponse) => void)[] = [];
    const asked = types.map(() => {
      const { promise, resolve } = Promise.withResolvers<ServerResponse>();
      calls.push(resolve);
      return promise;
    });
    for (const [index, type] of types.entries()) {
      const upstream = await startRawUpstream((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        calls[index]?.(response);
      });
      upstreams.push(upstream);
      await started.addChannel(upstream, { name: `channel ${index}`, type, models: MODEL, priority: -index });
    }
    return { started, key: await started.addToken(), asked };
  }

  /** Looks at the streams as if so many seconds had passed since now. */
  function look(started: RelayTest, seconds: number): void {
    started.testApp.deps.relay.inFlight.keepAlive(systemClock.monotonicMs() + seconds * 1000);
  }

  /** Reads on until the text that came so far ends so. */
  async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, isEnough: (text: string) => boolean) {
    let text = "";
    while (!isEnough(text)) {
      const { done, value } = await reader.read();
      assert.ok(!done, `The stream ended too soon: ${text}`);
      text += Buffer.from(value).toString();
    }
    return text;
  }

  /** Looks as if eleven seconds had passed until the gateway has the head of the provider's stream, and so answers its caller. */
  async function keptOpen(started: RelayTest, call: Promise<Response>): Promise<Response> {
    let isAnswered = false;
    void call.finally(() => (isAnswered = true));
    await waitUntil(async () => {
      look(started, 11);
      return isAnswered;
    });
    return await call;
  }

  for (const [path, body, name, ping] of CALLS) {
    const { type, word, rest } = PROVIDERS[name];
    it(`is kept open before and after its first word, between whole events: ${path} at ${name}`, async () => {
      const { started, key, asked } = await start(type);
      const call = started.post(path, key, { model: MODEL, stream: true, ...body });
      const [first] = asked;
      assert.ok(first !== undefined);
      const upstream = await first;
      look(started, 8);
      const answer = await keptOpen(started, call);
      look(started, 19);
      assert.equal(answer.status, 200);
      const reader = answer.body?.getReader();
      assert.ok(reader !== undefined);
      assert.equal(await readUntil(reader, (text) => text.length >= ping.length), ping, "told once, after ten seconds");
      upstream.write(word + rest.slice(0, 20));
      const begun = await readUntil(reader, (text) => text.includes("one "));
      look(started, 40);
      const silent = await readUntil(reader, (text) => text.endsWith(ping));
      assert.equal(silent, ping, "nothing of a half event");
      upstream.end(rest.slice(20));
      let ended = "";
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        ended += Buffer.from(piece.value).toString();
      assert.match(ended, /two/);
      if (path === GEMINI) assert.ok(Array.isArray(parseJson(ping + begun + silent + ended)));
      const { quota, result } = await started.lastLog();
      assert.ok(quota > 0 && result === "ok");
    });
  }

  for (const [path, body, name, ping, error] of CALLS) {
    const { type } = PROVIDERS[name];
    it(`tells an error in the stream once it was kept open, and another channel is asked before: ${path} at ${name}`, async () => {
      const { started, key, asked } = await start(type, type);
      const call = started.post(path, key, { model: MODEL, stream: true, ...body });
      const [first, second] = asked;
      assert.ok(first !== undefined && second !== undefined);
      const answer = await keptOpen(started, call);
      (await first).destroy();
      (await second).destroy();
      const text = await answer.text();
      assert.equal(answer.status, 200);
      assert.ok(text.startsWith(ping));
      assert.match(text, error);
      assert.equal((await started.books()).charged, 0);
    });
  }

  it("is not kept open before the provider has begun it, and a whole answer never is", async () => {
    for (const stream of [true, false]) {
      const started = await startRelayTest();
      gateway = started;
      const asked = Promise.withResolvers<ServerResponse>();
      const upstream = await startRawUpstream(asked.resolve);
      upstreams.push(upstream);
      await started.addChannel(upstream, { models: MODEL });
      const call = started.post(CHAT, await started.addToken(), { model: MODEL, stream, ...MESSAGES });
      const response = await asked.promise;
      look(started, 60);
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "No.", type: "invalid_request_error" } }));
      assert.equal((await call).status, 400);
      await started.close();
      gateway = undefined;
    }
  });
});
