import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { CohereClientV2 } from "cohere-ai";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const model = "command-a-03-2025";
const messages = [{ role: "user" as const, content: "hello" }];
const parameters = { type: "object", properties: { city: { type: "string" } } };
const tools = [{ type: "function" as const, function: { name: "weather", description: "", parameters } }];

async function connect(t: TestContext) {
  const { upstream } = await withStubServer(t);
  const client = new CohereClientV2({ environment: upstream.at("cohere"), token: "sk-test", maxRetries: 0 });
  return { upstream, client };
}

suite("Cohere's API through the cohere-ai SDK", () => {
  test("chats, whole and as a stream", async (t) => {
    const { client } = await connect(t);
    const whole = await client.chat({ model, messages, thinking: { type: "enabled" } });
    assert.deepEqual(whole.message.content?.at(-1), { type: "text", text: "You said: hello" });
    assert.equal(whole.message.content?.[0]?.type, "thinking");
    assert.deepEqual([whole.finishReason, whole.usage?.tokens?.outputTokens], ["COMPLETE", 3]);
    const seen = { text: "", end: "", counted: 0 };
    for await (const event of await client.chatStream({ model, messages, maxTokens: 2 })) {
      if (event.type === "content-delta") seen.text += event.delta?.message?.content?.text ?? "";
      if (event.type !== "message-end") continue;
      seen.end = event.delta?.finishReason ?? "";
      seen.counted = event.delta?.usage?.tokens?.outputTokens ?? 0;
    }
    assert.deepEqual(seen, { text: "You said:", end: "MAX_TOKENS", counted: 2 });
  });

  test("calls tools, whole and as a stream", async (t) => {
    const { client } = await connect(t);
    const whole = await client.chat({ model, messages, tools, toolChoice: "REQUIRED" });
    assert.deepEqual(whole.message.toolCalls?.[0]?.function, { name: "weather", arguments: '{"city":"hello"}' });
    assert.notEqual(whole.message.toolPlan, "");
    let input = "";
    for await (const event of await client.chatStream({ model, messages, tools, toolChoice: "REQUIRED" })) {
      if (event.type === "tool-call-delta") input += event.delta?.message?.toolCalls?.function?.arguments ?? "";
    }
    assert.equal(input, '{"city":"hello"}');
  });

  test("makes embeddings and lists models", async (t) => {
    const { client } = await connect(t);
    const asked = { model: "embed-v4.0", texts: ["a", "b"], inputType: "search_query" as const, outputDimension: 256 };
    const { embeddings, meta } = await client.embed({ ...asked, embeddingTypes: ["float"] });
    assert.deepEqual([embeddings.float?.length, embeddings.float?.[0]?.length], [2, 256]);
    assert.equal(meta?.billedUnits?.inputTokens, 2);
    const { models } = await client.models.list();
    assert.ok(models.some(({ endpoints }) => endpoints?.includes("chat")));
  });

  test("refuses invalid requests in Cohere's format", async (t) => {
    const { client } = await connect(t);
    await assert.rejects(client.chat({ model, messages, p: 1 }), /p must be between/);
    const late = [...messages, { role: "system" as const, content: "Be brief." }];
    await assert.rejects(client.chat({ model, messages: late }), /system turn must be the first/);
  });
});
