import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  type RelayTestOptions,
  startRelayTest,
  TEST_MODEL,
} from "../../../testing/start-relay-test.ts";

const HEAD = { "content-type": "text/event-stream" };

function event(delta: Readonly<Record<string, unknown>>, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: TEST_MODEL, choices })}\n\n`;
}

const WORD = event({ content: "word " });
const WHOLE = `${WORD}${event({}, "stop")}data: [DONE]\n\n`;

describe("providers that are hard to deal with", () => {
  let gateway: RelayTest | undefined;
  const upstreams: RawUpstream[] = [];
  afterEach(async () => {
    await gateway?.close();
    for (const upstream of upstreams.splice(0)) await upstream.close();
  });

  /** A gateway with a channel to such a provider, and one with less priority to a good one. */
  async function start(answer: (response: ServerResponse) => void, options: RelayTestOptions = {}) {
    const test = await startRelayTest(options);
    gateway = test;
    const hard = await startRawUpstream(answer);
    upstreams.push(hard);
    await test.addChannel({ url: hard.url }, { priority: 10 });
    const good = await test.upstream();
    await test.addChannel(good);
    return { test, good, key: await test.addToken() };
  }

  it("do not keep another channel waiting with the rest of a refusal", async () => {
    let dripping: NodeJS.Timeout | undefined;
    const { test, key, good } = await start((response) => {
      response.writeHead(500).write("{");
      dripping = setInterval(() => response.write(" "), 100);
    });
    const answer = await test.post(CHAT, key, chatBody("x"));
    clearInterval(dripping);
    assert.equal(answer.status, 200);
    assert.equal(good.requests.length, 1);
  });

  const coding = { "content-encoding": "gzip" };
  const unread: readonly (readonly [string, number, Readonly<Record<string, string>>, RegExp])[] = [
    ["answer", 200, { "content-type": "application/json", ...coding }, /bad-answer: .*compressed \(gzip\)/],
    ["stream", 200, { ...HEAD, ...coding }, /bad-answer: .*compressed \(gzip\)/],
    ["refusal", 429, { "content-type": "application/json", ...coding }, /rate-limited: .*compressed \(gzip\)/],
    ["way elsewhere", 302, { location: "https://elsewhere.example/v1" }, /bad-answer: .*https:\/\/elsewhere\.example/],
  ];
  for (const [what, status, headers, told] of unread) {
    it(`give another channel its turn where they send what cannot be read, and the log says why: ${what}`, async () => {
      const { test, key, good } = await start((response) => {
        response.writeHead(status, headers).end(gzipSync('{"id":"x","choices":[]}'));
      });
      const answer = await test.post(CHAT, key, chatBody("some words", { stream: what === "stream" }));
      assert.equal(answer.status, 200, await answer.text());
      assert.equal(good.requests.length, 1);
      assert.match((await test.lastLog()).detail, told);
    });
  }

  it("have not begun to answer while they send comments and an empty beginning", async () => {
    const { test, key, good } = await start((response) => {
      response.writeHead(200, HEAD).write(`: PROCESSING\n\n${event({ role: "assistant", content: "" })}`, () => {
        response.destroy();
      });
    });
    const answer = await test.post(CHAT, key, chatBody("some words", { stream: true }));
    const text = await answer.text();
    assert.equal(good.requests.length, 1);
    assert.match(text, /words/);
    assert.doesNotMatch(text, /PROCESSING/);
    assert.ok(text.endsWith("data: [DONE]\n\n"));
  });

  it("are left when their stream has ended, also when they keep the connection open", async () => {
    let open: ServerResponse | undefined;
    const { test, key } = await start((response) => {
      open = response;
      response.writeHead(200, HEAD).write(WHOLE);
    });
    const answer = await test.post(CHAT, key, chatBody("x", { stream: true }));
    assert.ok((await answer.text()).endsWith("data: [DONE]\n\n"));
    assert.ok(open !== undefined);
    if (!open.closed) await once(open, "close");
  });

  it("give what is no JSON: another channel answers, and nothing stays set aside", async () => {
    const { test, key } = await start((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"choices": [{"mess');
    });
    assert.equal((await test.post(CHAT, `${key}-1`, chatBody("x"))).status, 502);
    assert.equal((await test.post(CHAT, key, chatBody("x"))).status, 200);
    const books = await test.books();
    assert.deepEqual([books.open, books.differences], [0, 0]);
    assert.deepEqual(
      books.logs.map(({ result }) => result),
      ["provider-failed", "ok"],
    );
  });

  it("give a long answer that is broken and tells no usage: it is delivered and charged by its length", async () => {
    const text = "word ".repeat(20_000);
    const { test, key } = await start((response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"id":"x","choices":[{"x":"${text}"}],"rest":nonsense}`);
    });
    const answer = await test.post(CHAT, key, chatBody("x", { max_tokens: 100_000 }));
    assert.equal(answer.status, 200);
    await answer.text();
    const books = await test.books();
    assert.deepEqual([books.open, books.differences, books.logs.length], [0, 0, 1]);
    assert.ok(books.charged > 0);
  });

  it("refuse one request for its size alone: others go on to be served by them", async () => {
    let calls = 0;
    const { test, key, good } = await start((response) => {
      calls += 1;
      const message = "Request too large for gpt-4o-mini on tokens per min (TPM): Limit 100, Requested 200.";
      const error = { message, type: "tokens", param: null, code: "rate_limit_exceeded" };
      if (calls === 1) response.writeHead(429, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      else response.writeHead(200, HEAD).end(WHOLE);
    });
    assert.equal((await test.post(CHAT, key, chatBody("x"))).status, 200);
    assert.equal(good.requests.length, 1);
    assert.match(await (await test.post(CHAT, key, chatBody("x", { stream: true }))).text(), /word/);
    assert.deepEqual([calls, good.requests.length], [2, 1]);
  });

  it("all refuse a request for its size: the caller is told that trying again is no use", async () => {
    const message = "Request too large for gpt-4o-mini on tokens per min (TPM): Limit 100, Requested 200.";
    const error = { message, type: "tokens", param: null, code: "rate_limit_exceeded" };
    const { test, key } = await start((response) => {
      response.writeHead(429, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    });
    const answer = await test.post(CHAT, `${key}-1`, chatBody("x"));
    assert.deepEqual([answer.status, (await errorOf(answer)).code], [413, "request_too_large"]);
  });
});
