import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHAT, chatBody, errorOf } from "../../../testing/start-relay-test.ts";
import { withGateway } from "../../../testing/with-gateway.ts";

const MODEL = "openai/gpt-5-mini";

describe("a provider that is asked first and answers elsewhere", () => {
  const stage = withGateway([{ type: 46, models: MODEL }]);

  const isCancelled = () => stage.upstream.waitForRequest(({ path }) => path.endsWith("/cancel"));
  const leave = async (arrived: Promise<unknown>, stream: boolean) => {
    const leaving = new AbortController();
    const asked = fetch(stage.gateway.url + CHAT, {
      method: "POST",
      headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody("hello", { model: MODEL, stream })),
      signal: leaving.signal,
    }).then(async (answer) => await answer.text());
    await arrived;
    leaving.abort();
    await assert.rejects(asked);
  };

  for (const stream of [true, false]) {
    it(`is told that nobody reads the ${stream ? "stream" : "answer"} any more`, async () => {
      stage.upstream.setBehaviour({ kind: "endless", chunkDelayMs: 5 });
      await leave(
        stage.upstream.waitForRequest(({ method, abortedAtMs }) => method === "GET" && abortedAtMs === null),
        stream,
      );
      await isCancelled();
      assert.equal((await stage.gateway.lastLog()).result, "caller-gone");
    });
  }

  it("is told so too where the caller has left before the answer had a place", async () => {
    stage.upstream.setBehaviour({ kind: "normal", headersDelayMs: 200 });
    await leave(
      stage.upstream.waitForRequest(({ path }) => path.endsWith("/predictions")),
      true,
    );
    await isCancelled();
    assert.deepEqual(
      [(await stage.gateway.lastLog()).result, (await stage.gateway.lastLog()).quota],
      ["caller-gone", 0],
    );
  });

  it("tells what was used when it is asked for that, and is counted here where it does not", async () => {
    for (const stream of [true, false]) {
      await (await stage.gateway.post(CHAT, stage.key, chatBody("three more words", { model: MODEL, stream }))).text();
      const { prompt_tokens, completion_tokens, detail } = await stage.gateway.lastLog();
      assert.deepEqual([prompt_tokens, completion_tokens], [3, 5]);
      assert.doesNotMatch(detail, /estimated/);
    }
    stage.upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
    await (
      await stage.gateway.post(CHAT, stage.key, chatBody("three more words", { model: MODEL, stream: true }))
    ).text();
    assert.match((await stage.gateway.lastLog()).detail, /estimated/);
  });

  it("refuses where it is asked, and that is told as what it is", async () => {
    for (const [status, told] of [
      [400, 400],
      [401, 502],
      [429, 429],
    ] as const) {
      stage.upstream.setBehaviour({ kind: "refuse", status });
      const own = await stage.gateway.upstream();
      await stage.gateway.addChannel(own, { type: 46, models: `a/refuses-${status}` });
      own.setBehaviour({ kind: "refuse", status });
      const answer = await stage.gateway.post(CHAT, stage.key, chatBody("hello", { model: `a/refuses-${status}` }));
      assert.equal(answer.status, told);
      assert.equal((await stage.gateway.lastLog()).status_code, status);
    }
  });

  it("that fails before a word is no answer, whole or streamed", async () => {
    stage.upstream.setBehaviour({ kind: "error-in-stream", afterChunks: 0 });
    for (const stream of [true, false]) {
      const answer = await stage.gateway.post(CHAT, stage.key, chatBody("hello", { model: MODEL, stream }));
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [502, "upstream_failed"]);
      assert.equal((await stage.gateway.lastLog()).quota, 0);
    }
  });
});
