import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Ollama } from "ollama";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const messages = [{ role: "user", content: "hello" }];

suite("Ollama's API through the ollama SDK", () => {
  test("chats, whole and as lines", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new Ollama({ host: upstream.at("ollama") });
    const whole = await client.chat({ model: "llama3.2", messages });
    assert.deepEqual([whole.message.content, whole.done, whole.done_reason], ["You said: hello", true, "stop"]);
    assert.ok(whole.prompt_eval_count > 0 && whole.eval_count === 3);
    let text = "";
    let counted = 0;
    for await (const { message, eval_count: count } of await client.chat({
      model: "llama3.2",
      messages,
      stream: true,
    })) {
      text += message.content;
      counted = count ?? counted;
    }
    assert.deepEqual([text, counted], ["You said: hello", 3]);
  });

  test("thinks, calls tools and makes embeddings", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new Ollama({ host: upstream.at("ollama") });
    assert.notEqual((await client.chat({ model: "m", messages, think: true })).message.thinking, "");
    upstream.setBehaviour({ kind: "normal", callTool: true });
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [{ type: "function", function: { name: "weather", description: "", parameters } }];
    const called = await client.chat({ model: "m", messages, tools });
    assert.deepEqual(called.message.tool_calls?.[0]?.function, {
      index: 0,
      name: "weather",
      arguments: { city: "hello" },
    });
    const { embeddings } = await client.embed({ model: "m", input: ["a", "b"] });
    assert.deepEqual([embeddings.length, embeddings[0]?.length], [2, 768]);
    assert.ok((await client.list()).models.length > 0);
  });

  test("refuses invalid requests in Ollama's format", async (t) => {
    const { upstream } = await withStubServer(t, { refuseUnknownModels: true });
    const client = new Ollama({ host: upstream.at("ollama") });
    await assert.rejects(client.chat({ model: "none", messages }), /does not exist/);
    await assert.rejects(
      client.chat({ model: "gpt-4o-mini", messages: [{ role: "robot", content: "x" }] }),
      /invalid role/,
    );
  });
});
