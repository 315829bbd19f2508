import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import { listTokens } from "@one-api/contract/token";
import { eachDatabase } from "@one-api/database/test-databases";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
} from "../../../testing/start-relay-test.ts";

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start(options: Parameters<typeof startRelayTest>[0] = {}) {
    test = await startRelayTest({ kind, ...options });
    return test;
  }

  describe("a relayed request", () => {
    it("is answered whole, without blame of the channel, if it asks for a stream where there are none", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { models: "text-embedding-3-small,omni-moderation-latest,rerank-v3.5" });
      const [key, headers] = [await gateway.addToken(), { "content-type": "application/json" }];
      for (const [path, body] of [
        ["/v1/embeddings", { model: "text-embedding-3-small", input: "x" }],
        ["/v1/moderations", { input: "x" }],
        ["/v1/rerank", { model: "rerank-v3.5", query: "x", documents: ["a", "b"] }],
      ] as const)
        for (let time = 0; time < 5; time += 1) {
          const answer = await fetch(`${gateway.url}${path}`, {
            method: "POST",
            headers: { ...headers, authorization: `Bearer ${key}` },
            body: JSON.stringify({ ...body, stream: true }),
          });
          assert.equal(answer.status, 200, `${path} ${await answer.text()}`);
        }
      assert.equal(upstream.requests.length, 15, "one attempt each");
    });

    it("answers the official SDK: chat, stream, embedding, models, and every call is booked", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { models: `${TEST_MODEL},text-embedding-3-small` });
      const sdk = gateway.sdk(await gateway.addToken());
      const chat = await sdk.chat.completions.create({
        model: TEST_MODEL,
        messages: [{ role: "user", content: "hello" }],
      });
      assert.equal(chat.choices[0]?.message.content, "You said: hello");
      let text = "";
      for await (const chunk of await sdk.chat.completions.create({
        model: TEST_MODEL,
        stream: true,
        messages: [{ role: "user", content: "streamed words" }],
      })) {
        assert.equal(chunk.usage ?? null, null);
        text += chunk.choices[0]?.delta.content ?? "";
      }
      assert.equal(text, "You said: streamed words");
      assert.equal(
        (await sdk.embeddings.create({ model: "text-embedding-3-small", input: "x" })).data[0]?.embedding.length,
        1536,
      );
      assert.deepEqual(
        (await sdk.models.list()).data.map(({ id }) => id),
        [TEST_MODEL, "text-embedding-3-small"],
      );
      assert.equal((await sdk.models.retrieve(TEST_MODEL)).id, TEST_MODEL);
      const books = await gateway.books();
      assert.equal(books.logs.length, 3);
      const [token] = await gateway.root.data(listTokens);
      assert.equal(token?.used_quota, books.charged);
      assert.equal(token?.remain_quota, 50_000_000 - books.charged);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("passes the usage chunk on only to callers who asked for it, and always asks the upstream", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const key = await gateway.addToken();
      const without = await (await gateway.post(CHAT, key, chatBody("a", { stream: true }))).text();
      const asked = await (
        await gateway.post(CHAT, key, chatBody("a", { stream: true, stream_options: { include_usage: true } }))
      ).text();
      assert.doesNotMatch(without, /"usage":\{/);
      assert.match(asked, /"usage":\{/);
      assert.ok(without.endsWith("data: [DONE]\n\n"));
      assert.equal(asked.match(/\[DONE\]/g)?.length, 1);
      assert.match(upstream.requests[0]?.bodyText ?? "", /"include_usage":true/);
    });

    it("leaves the caller's bytes alone", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const body = `{ "model":"${TEST_MODEL}",  "messages":[{"role":"user","content":"\\u0041 1.0"}], "seed": 12345678901234567890, "max_tokens": 5 }`;
      await gateway.post(CHAT, await gateway.addToken(), body);
      assert.equal(upstream.requests[0]?.bodyText, body);
    });

    it("shows the caller only the second channel's answer when the first fails, with one charge", async () => {
      const gateway = await start();
      const [first, second] = [await gateway.upstream(), await gateway.upstream()];
      first.setBehaviour({ kind: "refuse", status: 500 });
      await gateway.addChannel(first, { name: "first", priority: 10 });
      await gateway.addChannel(second, { name: "second" });
      const answer = await gateway.post(CHAT, await gateway.addToken(), chatBody("hello"));
      assert.equal(answer.status, 200);
      assert.equal(first.requests.length, 1);
      const books = await gateway.books();
      assert.equal(books.logs.length, 1);
      assert.equal(books.logs[0]?.channel_id, 2);
      assert.match(books.logs[0]?.detail ?? "", /"status":500.*"status":200/);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("retries a stream whose first channel fails before its first event", async () => {
      const gateway = await start();
      const [first, second] = [await gateway.upstream(), await gateway.upstream()];
      await gateway.addChannel(first, { priority: 10 });
      await gateway.addChannel(second);
      for (const behaviour of [
        { kind: "cut", at: "body", afterChunks: 0 },
        { kind: "malformed", fault: "html-body" },
        { kind: "malformed", fault: "empty-body" },
        { kind: "malformed", fault: "json-for-stream" },
        { kind: "refuse", status: 429 },
      ] as const) {
        first.setBehaviour(behaviour);
        const answer = await gateway.post(CHAT, await gateway.addToken(), chatBody("hello", { stream: true }));
        const text = await answer.text();
        assert.equal(answer.status, 200, JSON.stringify(behaviour));
        assert.ok(text.endsWith("data: [DONE]\n\n"), JSON.stringify(behaviour));
      }
      assert.equal((await gateway.books()).differences, 0);
    });

    it("admits no more than the quota pays for, out of 200 parallel calls, and the books agree to the unit", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      await gateway.root.data(updateOption, {
        body: { key: "ModelRatio", value: JSON.stringify({ [TEST_MODEL]: 1 }) },
      });
      await gateway.root.data(updateOption, {
        body: { key: "CompletionRatio", value: JSON.stringify({ [TEST_MODEL]: 1 }) },
      });
      const content =
        '[[fake: {"kind":"usage-override","report":"given","usage":{"prompt_tokens":20,"completion_tokens":100}}]]';
      const key = await gateway.addToken({ remain_quota: 50 * 120 });
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => gateway.post(CHAT, key, chatBody(content, { max_tokens: 100 }))),
      );
      const answered = answers.filter((answer) => answer.status === 200).length;
      const refused = answers.filter((answer) => answer.status !== 200);
      assert.ok(answered > 0 && answered <= 50, `${answered} answered`);
      for (const answer of refused) {
        assert.equal(answer.status, 403);
        assert.equal((await errorOf(answer)).code, "insufficient_quota");
      }
      const books = await gateway.books();
      const [token] = await gateway.root.data(listTokens);
      assert.equal(books.charged, answered * 120);
      assert.equal(token?.remain_quota, 50 * 120 - books.charged);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("asks for no more than the balance pays for when the caller sets no limit", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      await gateway.root.data(updateOption, {
        body: { key: "ModelRatio", value: JSON.stringify({ [TEST_MODEL]: 1 }) },
      });
      const key = await gateway.addToken({ remain_quota: 4_000 });
      const body = {
        model: TEST_MODEL,
        messages: [{ role: "user", content: '[[fake: {"kind":"normal","pieces":5000}]]' }],
      };
      assert.equal((await gateway.post(CHAT, key, body)).status, 200);
      assert.match(upstream.requests[0]?.bodyText ?? "", /"max_completion_tokens":9\d\d/);
      const [token] = await gateway.root.data(listTokens);
      assert.ok((token?.remain_quota ?? -1) >= 0);
      assert.equal((await gateway.books()).differences, 0);
      assert.equal((await gateway.post(CHAT, key, body)).status, 403);
    });
  });

  describe("a stream that does not end well", () => {
    it("closes the upstream when the caller leaves, and charges what was delivered", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const leave = new AbortController();
      const stream = await gateway.sdk(await gateway.addToken()).chat.completions.create(
        {
          model: TEST_MODEL,
          stream: true,
          messages: [{ role: "user", content: '[[fake: {"kind":"normal","pieces":2000,"chunkDelayMs":10}]]' }],
        },
        { signal: leave.signal },
      );
      let chunks = 0;
      await assert.rejects(async () => {
        for await (const _ of stream) if (++chunks === 10) leave.abort();
        throw new Error("left");
      });
      const record = await upstream.waitForAbort(undefined, 1_000);
      await gateway.testApp.deps.relay.inFlight.idle();
      const books = await gateway.books();
      assert.match(books.logs[0]?.detail ?? "", /"end":"caller-gone"/);
      assert.match(books.logs[0]?.detail ?? "", /"rule":"partial"/);
      assert.ok(books.charged > 0 && record.tokensServed < 200);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("tells the caller by an error event without an end mark when the upstream breaks off", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const key = await gateway.addToken();
      for (const marker of [
        '{"kind":"cut","afterChunks":3}',
        '{"kind":"error-in-stream","afterChunks":3}',
        '{"kind":"malformed","fault":"long-line","lineMegabytes":41}',
      ]) {
        const answer = await gateway.post(
          CHAT,
          key,
          chatBody(`[[fake: ${marker}]] many words to be said here`, { stream: true }),
        );
        const text = await answer.text();
        assert.doesNotMatch(text, /\[DONE\]/, marker);
        assert.match(text, /data: \{"error":\{"message":"[^"]+request id/, marker);
      }
      const books = await gateway.books();
      assert.equal(books.logs.length, 3);
      for (const log of books.logs) assert.ok(log.quota > 0);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("gives up on a stream that stalls", async () => {
      const gateway = await start({ timeouts: { idleMs: 1_000, streamFirstByteMs: 1_000 } });
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const key = await gateway.addToken();
      const late = await (
        await gateway.post(
          CHAT,
          key,
          chatBody('[[fake: {"kind":"stall","afterChunks":2}]] one two three four', { stream: true }),
        )
      ).text();
      assert.match(late, /upstream_timeout/);
      assert.doesNotMatch(late, /\[DONE\]/);
      const never = await gateway.post(CHAT, key, chatBody('[[fake: {"kind":"stall"}]]', { stream: true }));
      assert.equal(never.status, 504);
      assert.deepEqual([(await gateway.books()).differences, (await gateway.books()).open], [0, 0]);
    });

    it("counts here what a provider does not report", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
      await gateway.addChannel(upstream);
      const key = await gateway.addToken();
      await (await gateway.post(CHAT, key, chatBody("some words to be said", { stream: true }))).text();
      await (await gateway.post(CHAT, key, chatBody("some words to be said"))).text();
      const books = await gateway.books();
      for (const log of books.logs) {
        assert.match(log.detail, /"rule":"estimated"/);
        assert.ok(log.quota > 0);
      }
      assert.equal(books.differences, 0);
    });

    it("counts the prompt for a silent provider only where the channel says so [CHSTATE-33] [CHSTATE-34]", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
      await gateway.addChannel(upstream, { models: "counts", calc_prompt: true });
      await gateway.addChannel(upstream, { models: "trusts", calc_prompt: false });
      const key = await gateway.addToken();
      for (const model of ["counts", "trusts"])
        await (await gateway.post(CHAT, key, chatBody("some words", { model }))).text();
      upstream.setBehaviour({ kind: "normal" });
      await (await gateway.post(CHAT, key, chatBody("some words", { model: "trusts" }))).text();
      const counted = await gateway.testApp.database.db
        .selectFrom("logs")
        .select("prompt_tokens")
        .orderBy("id")
        .execute();
      assert.deepEqual(
        counted.map(({ prompt_tokens }) => prompt_tokens > 0),
        [true, false, true],
      );
    });

    it("reads streams however their lines end, and takes a finish reason for an end mark", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const sdk = gateway.sdk(await gateway.addToken());
      for (const fault of ["split-utf8", "crlf", "no-done"]) {
        const stream = await sdk.chat.completions.create({
          model: TEST_MODEL,
          stream: true,
          messages: [{ role: "user", content: `[[fake: {"kind":"malformed","fault":"${fault}"}]] héllo 世界` }],
        });
        let text = "";
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
        assert.ok(text.endsWith("You said: héllo 世界"), `${fault}: ${text}`);
      }
      for (const log of (await gateway.books()).logs) assert.match(log.detail, /"end":"complete"/);
    });
  });
});
