import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
} from "../../../testing/start-relay-test.ts";

const MIB = 1024 * 1024;

describe("what a caller cannot have for nothing", () => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start(more: object = {}) {
    test = await startRelayTest();
    const upstream = await test.upstream();
    await test.addChannel(upstream, more);
    return { gateway: test, upstream };
  }

  for (const [what, path, body] of [
    ["500 prompts in a list", "/v1/completions", { prompt: Array.from({ length: 500 }, () => "a"), max_tokens: 400 }],
    ["a small limit beside a large one", CHAT, { max_completion_tokens: 1, max_tokens: 20_000 }],
    ["answers times answers", "/v1/completions", { prompt: ["a", "b"], n: 20, best_of: 20, max_tokens: 40 }],
    ["a search of the provider's own", CHAT, { max_tokens: 1, web_search_options: {} }],
  ] as const) {
    it(`is ${what} on a balance for one answer`, async () => {
      const { gateway, upstream } = await start();
      const poor = await gateway.addToken({ remain_quota: 2_000 });
      const messages = path === CHAT ? { messages: [{ role: "user", content: "hi" }] } : {};
      const answer = await gateway.post(path, poor, { model: TEST_MODEL, ...messages, ...body });
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [403, "insufficient_quota"]);
      assert.equal(upstream.requests.length, 0);
    });
  }

  it("adds no limit where neither the caller nor the provider's API asks for one", async () => {
    const { gateway, upstream } = await start({ type: 39, models: "house-model" });
    const key = await gateway.addToken();
    await gateway.post(CHAT, key, chatBody("x", { model: "house-model", max_tokens: undefined }));
    await gateway.post(
      CHAT,
      key,
      chatBody("x", { model: "house-model", max_tokens: undefined, max_completion_tokens: 9 }),
    );
    await gateway.post(CHAT, key, chatBody("x", { model: "house-model", max_tokens: 99 }));
    const limits = upstream.requests.map(({ bodyText }) => {
      const { max_tokens, max_completion_tokens } = recordOf(parseJson(bodyText ?? ""));
      return [max_tokens, max_completion_tokens];
    });
    assert.deepEqual(limits, [
      [undefined, undefined],
      [9, 9],
      [99, undefined],
    ]);
  });

  it("is a translation, which is billed by its characters and not by the tokens that these are", async () => {
    const { gateway, upstream } = await start({ type: 38, models: "deepl-zh" });
    const translate = async (remain_quota: number) =>
      await gateway.post(CHAT, await gateway.addToken({ remain_quota }), chatBody(text, { model: "deepl-zh" }));
    const text = "word ".repeat(800).trim();
    assert.equal((await translate(30_000)).status, 403);
    assert.equal(upstream.requests.length, 0);
    assert.equal((await translate(90_000)).status, 200);
    const { prompt_tokens, completion_tokens, quota } = await gateway.lastLog();
    assert.deepEqual([prompt_tokens, completion_tokens, quota], [3_999, 0, Math.ceil(3_999 * 12.5)]);
  });

  it("is a long answer of a provider that cannot be told how long it may be", async () => {
    const { gateway, upstream } = await start({ type: 34, models: "bot-1" });
    const poor = await gateway.addToken({ remain_quota: 20_000 });
    for (const max_tokens of [1, undefined]) {
      const answer = await gateway.post(CHAT, poor, chatBody("hi", { model: "bot-1", max_tokens }));
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [403, "insufficient_quota"]);
    }
    assert.equal(upstream.requests.length, 0);
  });

  it("is a long prompt that the channel puts in front", async () => {
    const { gateway, upstream } = await start({ models: "gpt-4o", system_prompt: "Be kind. ".repeat(400) });
    const poor = await gateway.addToken({ remain_quota: 500 });
    const answer = await gateway.post(CHAT, poor, chatBody("hi", { model: "gpt-4o", max_tokens: 5 }));
    assert.deepEqual([answer.status, (await errorOf(answer)).code], [403, "insufficient_quota"]);
    assert.equal(upstream.requests.length, 0);
  });

  it("is a minute's tokens taken by 200 calls at once", async () => {
    const { gateway } = await start();
    const key = await gateway.addToken({ tpm_limit: 1 });
    const body = chatBody(
      '[[fake: {"kind":"usage-override","report":"given","usage":{"prompt_tokens":25,"completion_tokens":5}}]]',
      { max_tokens: 5 },
    );
    const answers = await Promise.all(Array.from({ length: 200 }, () => gateway.post(CHAT, key, body)));
    const served = answers.filter(({ status }) => status === 200);
    // The last one is let in while anything is left.
    assert.ok(served.length > 0 && (served.length - 1) * 30 < 1_000, `${served.length} calls of 30 tokens were served`);
    assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  });
});

describe("a report of usage that cannot be", () => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  for (const [what, usage, charged, note] of [
    [
      "near 2^53",
      { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 },
      undefined,
      /"notes":\[\{"code":"odd-prompt-tokens","reported":9007199254740991,"counted":\d+\}/,
    ],
    ["beyond any number", { prompt_tokens: 1e300, completion_tokens: 7 }, undefined, undefined],
    ["of fractions", { prompt_tokens: 10.2, completion_tokens: 7.5 }, Math.ceil((11 + 8 * 4) * 0.075), undefined],
    ["below zero", { prompt_tokens: -5, completion_tokens: -7, total_tokens: -12 }, undefined, undefined],
    ["of texts", { prompt_tokens: "10", completion_tokens: "7" }, undefined, undefined],
    ["whose total is less than its parts", { prompt_tokens: 10, completion_tokens: 7, total_tokens: 1 }, 3, undefined],
  ] as const) {
    for (const stream of [false, true]) {
      it(`${what} withholds no ${stream ? "stream" : "answer"} and is charged within the bound`, async () => {
        test = await startRelayTest();
        const gateway = test;
        await gateway.addChannel(await gateway.upstream());
        const key = await gateway.addToken({ remain_quota: 100_000 });
        const directive = JSON.stringify({ kind: "usage-override", report: "given", usage });
        const answer = await gateway.post(CHAT, key, chatBody(`[[fake: ${directive}]]`, { max_tokens: 50, stream }));
        assert.equal(answer.status, 200);
        const text = await answer.text();
        if (stream) assert.match(text, /data: \[DONE\]\n\n$/);
        const books = await gateway.books();
        assert.deepEqual([books.differences, books.open, books.logs.length], [0, 0, 1]);
        assert.ok(books.charged > 0 && books.charged < 100, `${books.charged}`);
        if (charged !== undefined) assert.equal(books.charged, charged);
        if (note !== undefined) assert.match(books.logs[0]?.detail ?? "", note);
      });
    }
  }
});

describe("a body that would take long to read", () => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  it("is refused before anything is built of it, and others go on", async () => {
    test = await startRelayTest();
    const gateway = test;
    await gateway.addChannel(await gateway.upstream());
    const key = await gateway.addToken({ remain_quota: 2_000 });
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"${index}":1`).join();
    const refused = [
      `{"model":"${TEST_MODEL}","messages":${"[".repeat(30 * MIB)}`,
      `{"model":"${TEST_MODEL}","messages":[{${keys}}]}`,
      `{"model":"${TEST_MODEL}","messages":[${"{},".repeat(5_000_000)}{}]}`,
      `{"model":"${TEST_MODEL}","messages":[{"role":"user","content":"x"}],"n":${"1".repeat(20 * MIB)}}`,
    ];
    const [good, ...answers] = await Promise.all([
      gateway.post(CHAT, key, chatBody("hello", { max_tokens: 5 })),
      ...refused.map((body) => gateway.post(CHAT, key, body)),
    ]);
    assert.equal(good.status, 200);
    for (const answer of answers)
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [400, "invalid_json"]);
  });

  it("shares its memory with none that is still on its way, refused or relayed", async () => {
    test = await startRelayTest();
    const gateway = test;
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    const key = await gateway.addToken();
    const bodyOf = (letter: string) => chatBody(letter.repeat(6 * MIB), { max_tokens: 5, stream: letter < "c" });
    const letters = ["a", "b", "c", "d"];
    // Half of them come while the others are being relayed, into memory of those that were answered or refused.
    const relayOne = async (letter: string) => {
      const broken = await gateway.post(CHAT, key, JSON.stringify(bodyOf("x")).slice(0, -1));
      const [answer, alsoBroken] = await Promise.all([
        gateway.post(CHAT, key, bodyOf(letter)),
        gateway.post(CHAT, key, JSON.stringify(bodyOf("y")).slice(0, -1)),
      ]);
      await answer.text();
      return [broken.status, alsoBroken.status, answer.status];
    };
    const relayAll = async (some: readonly string[]) => {
      for (const letter of some) assert.deepEqual(await relayOne(letter), [400, 400, 200]);
    };
    await Promise.all([relayAll(["a", "c"]), relayAll(["b", "d"])]);
    const contents = upstream.requests.map(({ bodyText }) => contentOf(bodyText ?? "")).sort();
    assert.deepEqual(
      contents.map((content) => `${content.slice(0, 1)} ${content.length}`),
      letters.map((letter) => `${letter} ${6 * MIB}`),
    );
    for (const content of contents) assert.ok(content === content.slice(0, 1).repeat(6 * MIB), content.slice(0, 1));
  });

  it("costs nothing beyond the quota: its tokens are not even counted where they cannot be paid for", async () => {
    test = await startRelayTest();
    const gateway = test;
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { models: "gpt-4o" });
    const key = await gateway.addToken({ remain_quota: 2_000 });
    const letters = Buffer.from(
      Array.from({ length: 2 * MIB }, (_, index) => 97 + ((index * index * 31) % 26)),
    ).toString();
    const answer = await gateway.post(CHAT, key, chatBody(letters, { model: "gpt-4o", max_tokens: 5 }));
    assert.equal(answer.status, 403);
    assert.equal(upstream.requests.length, 0);
  });
});

function contentOf(body: string): string {
  const [message] = listOf(recordOf(parseJson(body))["messages"]);
  return textOf(recordOf(message)["content"]);
}
