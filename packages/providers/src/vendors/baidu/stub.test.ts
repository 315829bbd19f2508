import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { ChatCompletion, Embedding } from "@baiducloud/qianfan";
import type { StubServerOptions } from "@one-api/stub-server/stub-server-options";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const MODEL = "ERNIE-4.0-8K";
const hello = { role: "user", content: "hello" } as const;

async function connect(t: TestContext, options: StubServerOptions = {}) {
  const { upstream } = await withStubServer(t, options);
  // Otherwise the SDK retries and logs to the console.
  const account = { QIANFAN_AK: "api", QIANFAN_SK: "secret", QIANFAN_LLM_API_RETRY_COUNT: "0" };
  const connection = { ...account, QIANFAN_BASE_URL: upstream.at("baidu") };
  return { upstream, chats: new ChatCompletion(connection), embeddings: new Embedding(connection) };
}

suite("Baidu's older API through Qianfan's own SDK", () => {
  test("chats, whole and as a stream, with a token that is fetched once", async (t) => {
    const { upstream, chats } = await connect(t);
    const { result, usage } = await chats.chat({ messages: [hello] }, MODEL);
    assert.deepEqual(
      [result, usage],
      ["You said: hello", { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }],
    );
    const pieces = await collect(await chats.chat({ messages: [hello], stream: true }, MODEL));
    assert.equal(pieces.map((piece) => piece.result).join(""), "You said: hello");
    assert.deepEqual(
      pieces.map((piece) => piece.is_end),
      [false, false, false, true],
    );
    const asked = upstream.requests.map(({ path }) => path.split("/").at(-1));
    assert.deepEqual(asked, ["token", "completions_pro", "completions_pro"]);
  });

  test("calls functions", async (t) => {
    const { upstream, chats } = await connect(t);
    upstream.setBehaviour({ kind: "normal", callTool: true });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const functions = [{ name: "weather", description: "", parameters }];
    const { function_call: call } = await chats.chat({ messages: [hello], functions }, MODEL);
    assert.deepEqual([call?.name, call?.arguments], ["weather", '{"city":"hello"}']);
  });

  test("makes embeddings", async (t) => {
    const { embeddings } = await connect(t);
    const { data, usage } = await embeddings.embedding({ input: ["a", "b"] }, "bge-large-zh");
    assert.deepEqual([data.map(({ embedding }) => embedding.length), usage.total_tokens], [[384, 384], 2]);
  });

  test("refuses invalid requests and unknown keys with Baidu's codes", async (t) => {
    const { chats } = await connect(t);
    const twice = chats.chat({ messages: [hello, hello] }, MODEL);
    await assert.rejects(twice, /"error_code":336003,"error_msg":"the length of messages must be an odd number"/);
    const { chats: strangers } = await connect(t, { keys: ["another|key"] });
    await assert.rejects(strangers.chat({ messages: [hello] }, MODEL), /invalid_client/);
  });
});
