import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { hunyuan } from "tencentcloud-sdk-nodejs-hunyuan";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const { Client } = hunyuan.v20230901;
const Model = "hunyuan-turbos-latest";
const Messages = [{ Role: "user", Content: "hello" }];

/** The SDK declares chats as whole answers, even for streams. */
function isStream(answer: object): answer is AsyncIterable<{ readonly data: string }> {
  return Symbol.asyncIterator in answer;
}

async function connect(t: TestContext, secretKey = "key-of-id") {
  const { upstream } = await withStubServer(t, { vendor: "hunyuan" });
  const httpProfile = { endpoint: new URL(upstream.url).host, protocol: "http://" };
  return new Client({ credential: { secretId: "id", secretKey }, region: "", profile: { httpProfile } });
}

suite("Hunyuan's API through Tencent's own SDK", () => {
  test("chats, whole and as a stream", async (t) => {
    const client = await connect(t);
    const { Choices = [], Usage } = await client.ChatCompletions({ Model, Messages });
    assert.deepEqual([Choices[0]?.Message?.Content, Usage?.CompletionTokens], ["You said: hello", 3]);
    const stream = await client.ChatCompletions({ Model, Messages, Stream: true });
    assert.ok(isStream(stream));
    const told = (await collect(stream)).map(({ data }) => data);
    assert.equal(told.map((data) => /"Content":"([^"]*)"/.exec(data)?.[1]).join(""), "You said: hello");
    assert.match(told.at(-1) ?? "", /"FinishReason":"stop".*"CompletionTokens":3/);
  });

  test("calls tools", async (t) => {
    const Parameters = JSON.stringify({ type: "object", properties: { city: { type: "string" } } });
    const tool = { Type: "function", Function: { Name: "weather", Parameters, Description: "" } };
    const asked = { Model, Messages, Tools: [tool], ToolChoice: "custom", CustomTool: tool };
    const { Choices = [] } = await (await connect(t)).ChatCompletions(asked);
    const [call] = Choices[0]?.Message?.ToolCalls ?? [];
    assert.deepEqual([call?.Function?.Name, call?.Function?.Arguments], ["weather", '{"city":"hello"}']);
    assert.equal(Choices[0]?.FinishReason, "tool_calls");
  });

  test("makes embeddings", async (t) => {
    const { Data = [], Usage } = await (await connect(t)).GetEmbedding({ Input: "hello" });
    assert.deepEqual([Data[0]?.Embedding?.length, Usage?.TotalTokens], [1_024, 1]);
  });

  test("refuses wrong signatures and invalid requests with Hunyuan's codes", async (t) => {
    const forged = await connect(t, "another key");
    await assert.rejects(forged.ChatCompletions({ Model, Messages }), { code: "AuthFailure.SignatureFailure" });
    const client = await connect(t);
    const twice = client.ChatCompletions({ Model, Messages: [...Messages, ...Messages] });
    await assert.rejects(twice, { code: "InvalidParameterValue" });
  });
});
