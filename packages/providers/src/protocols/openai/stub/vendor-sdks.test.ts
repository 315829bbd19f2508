import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { Mistral } from "@mistralai/mistralai";
import type { ChannelTypeName } from "@one-api/contract/channels/channel-types";
import Groq from "groq-sdk";
import Together from "together-ai";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const messages = [{ role: "user" as const, content: "hello" }];
const parameters = { type: "object", properties: { city: { type: "string" } } };
const tools = [{ type: "function" as const, function: { name: "weather", parameters } }];
const SAID = "You said: hello";

const addressOf = async (t: TestContext, vendor: ChannelTypeName) => (await withStubServer(t)).upstream.at(vendor);
/** Joins the text of a stream. */
const joined = (chunks: readonly { choices: readonly { delta: { content?: unknown } }[] }[]) =>
  chunks
    .map(({ choices: [choice] }) => choice?.delta.content ?? "")
    .filter((content) => typeof content === "string")
    .join("");

suite("OpenAI's API as the SDKs of others read it", () => {
  test("Mistral's: chats, streams, tools, embeddings, models and errors", async (t) => {
    const client = new Mistral({ apiKey: "sk-test", serverURL: await addressOf(t, "mistral") });
    const model = "mistral-small-latest";
    const whole = await client.chat.complete({ model, messages });
    assert.deepEqual([whole.choices[0]?.message?.content, whole.usage.completionTokens], [SAID, 3]);
    const chunks = await collect(await client.chat.stream({ model, messages }));
    assert.equal(joined(chunks.map(({ data }) => data)), SAID);
    const called = await client.chat.complete({ model, messages, tools, toolChoice: "any" });
    assert.equal(called.choices[0]?.message?.toolCalls?.[0]?.function.name, "weather");
    const { data } = await client.embeddings.create({ model: "mistral-embed", inputs: ["one", "two"] });
    assert.equal(data.length, 2);
    assert.ok(((await client.models.list()).data ?? []).length > 0);
    const nothing = client.chat.complete({ model, messages: [] });
    await assert.rejects(nothing, { statusCode: 400 });
  });

  test("Groq's: chats, streams, tools and errors", async (t) => {
    const client = new Groq({ apiKey: "sk-test", baseURL: await addressOf(t, "groq"), maxRetries: 0 });
    const model = "llama-3.3-70b-versatile";
    const whole = await client.chat.completions.create({ model, messages });
    assert.deepEqual([whole.choices[0]?.message.content, whole.usage?.completion_tokens], [SAID, 3]);
    assert.equal(joined(await collect(await client.chat.completions.create({ model, messages, stream: true }))), SAID);
    const called = await client.chat.completions.create({ model, messages, tools, tool_choice: "required" });
    assert.equal(called.choices[0]?.message.tool_calls?.[0]?.function.name, "weather");
    await assert.rejects(client.chat.completions.create({ model, messages: [] }), Groq.BadRequestError);
  });

  test("together.ai's: chats, streams, tools, embeddings, pictures and errors", async (t) => {
    const client = new Together({ apiKey: "sk-test", baseURL: `${await addressOf(t, "together")}/v1`, maxRetries: 0 });
    const model = "meta-llama/Llama-3.3-70B-Instruct-Turbo";
    const whole = await client.chat.completions.create({ model, messages });
    assert.deepEqual([whole.choices[0]?.message?.content, whole.usage?.completion_tokens], [SAID, 3]);
    assert.equal(joined(await collect(await client.chat.completions.create({ model, messages, stream: true }))), SAID);
    const called = await client.chat.completions.create({ model, messages, tools, tool_choice: "required" });
    assert.equal(called.choices[0]?.message?.tool_calls?.[0]?.function.name, "weather");
    const { data } = await client.embeddings.create({ model: "BAAI/bge-large-en-v1.5", input: ["one", "two"] });
    assert.equal(data.length, 2);
    const made = await client.images.generate({ model: "black-forest-labs/FLUX.1-schnell", prompt: "a house" });
    assert.equal(made.data.length, 1);
    await assert.rejects(client.chat.completions.create({ model, messages: [] }), Together.BadRequestError);
  });
});
