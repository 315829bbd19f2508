import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import { collect } from "./testing/collect.ts";
import { withUpstream } from "./testing/with-upstream.ts";

const model = "gpt-4o-mini";
const messages = [{ role: "user" as const, content: "hello there" }];
const weather: ChatCompletionTool = {
  type: "function",
  function: {
    name: "get_weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        unit: { type: "string", enum: ["celsius", "fahrenheit"] },
        days: { type: "integer" },
      },
    },
  },
};
const weatherArguments = { city: "hello there", unit: "celsius", days: 1 };

suite("chat completions through the openai SDK", () => {
  test("the answer echoes the last user message and reports what it counted", async (t) => {
    const { client, upstream } = await withUpstream(t);
    const completion = await client.chat.completions.create({
      model,
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: [{ type: "text", text: "hello there" }] },
      ],
    });
    assert.equal(completion.object, "chat.completion");
    assert.equal(completion.model, model);
    assert.equal(completion.choices[0]?.message.content, "You said: hello there");
    assert.equal(completion.choices[0]?.finish_reason, "stop");
    // 3 for each message, 2 words in each, 3 for the reply.
    assert.equal(completion.usage?.prompt_tokens, 13);
    assert.equal(completion.usage?.completion_tokens, 4);
    assert.equal(completion.usage?.total_tokens, 17);
    assert.equal(upstream.requests[0]?.tokensServed, 4);
  });

  test("a stream carries one piece per token, the usage that was asked for, and the same text", async (t) => {
    const { client, upstream } = await withUpstream(t);
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").filter((piece) => piece !== "");
    assert.deepEqual(pieces, ["You", " said:", " hello", " there"]);
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, "stop");
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, 4);
    assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
    assert.equal(upstream.requests[0]?.tokensServed, 4);
  });

  test("without stream_options a stream has no usage", async (t) => {
    const { client } = await withUpstream(t);
    const chunks = await collect(await client.chat.completions.create({ model, messages, stream: true }));
    assert.ok(chunks.every((chunk) => chunk.usage === undefined && chunk.choices.length === 1));
  });

  test("with a pause between pieces the first arrives while the rest is still to be sent", async (t) => {
    const { client, upstream } = await withUpstream(t, {
      behaviour: { kind: "slow", headersDelayMs: 0, chunkDelayMs: 30 },
    });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    const servedAtArrival: (number | undefined)[] = [];
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) servedAtArrival.push(upstream.requests[0]?.tokensServed);
    }
    assert.deepEqual(servedAtArrival, [1, 2, 3, 4]);
  });

  test("max_completion_tokens cuts the answer, reasoning included", async (t) => {
    const { client } = await withUpstream(t, {
      behaviour: { kind: "normal", pieces: 50, reasoningTokens: 4, cachedTokens: 2 },
    });
    const completion = await client.chat.completions.create({ model, messages, max_completion_tokens: 10 });
    assert.equal(completion.choices[0]?.finish_reason, "length");
    assert.equal(completion.choices[0]?.message.content?.split(" ").length, 6);
    assert.equal(completion.usage?.completion_tokens, 10);
    assert.equal(completion.usage?.completion_tokens_details?.reasoning_tokens, 4);
    assert.equal(completion.usage?.prompt_tokens_details?.cached_tokens, 2);
  });

  test("n gives that many choices, also in a stream", async (t) => {
    const { client } = await withUpstream(t);
    const completion = await client.chat.completions.create({ model, messages, n: 3 });
    assert.deepEqual(
      completion.choices.map((choice) => choice.index),
      [0, 1, 2],
    );
    assert.equal(completion.usage?.completion_tokens, 12);
    const stream = await client.chat.completions.create({ model, messages, n: 2, stream: true });
    const texts = ["", ""];
    for await (const { choices } of stream) {
      for (const { index, delta } of choices) texts[index] += delta.content ?? "";
    }
    assert.deepEqual(texts, ["You said: hello there", "You said: hello there"]);
  });

  test("a demanded tool is called with arguments that fit its parameters", async (t) => {
    const { client } = await withUpstream(t);
    const completion = await client.chat.completions.create({
      model,
      messages,
      tools: [weather],
      tool_choice: "required",
    });
    const [choice] = completion.choices;
    assert.equal(choice?.finish_reason, "tool_calls");
    assert.equal(choice?.message.content, null);
    const call = choice?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.equal(call.function.name, "get_weather");
    assert.deepEqual(JSON.parse(call.function.arguments), weatherArguments);
  });

  test("a streamed tool call adds up to the same call", async (t) => {
    const { client } = await withUpstream(t);
    const named = { type: "function" as const, function: { name: "get_weather" } };
    const stream = client.chat.completions.stream({ model, messages, tools: [weather], tool_choice: named });
    const completion = await stream.finalChatCompletion();
    const call = completion.choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.deepEqual(JSON.parse(call.function.arguments), weatherArguments);
    assert.equal(completion.choices[0]?.finish_reason, "tool_calls");
  });

  test("tools that nothing demands are left alone, unless the behaviour calls them", async (t) => {
    const { client, upstream } = await withUpstream(t);
    const left = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.equal(left.choices[0]?.message.content, "You said: hello there");
    upstream.setBehaviour({ kind: "normal", callTool: true });
    const called = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.equal(called.choices[0]?.finish_reason, "tool_calls");
  });

  test("two upstreams with the same seed give the same answers", async (t) => {
    const ask = async (): Promise<unknown> => {
      const { client } = await withUpstream(t, { seed: 5, behaviour: { kind: "normal", pieces: 30 } });
      const { created: _, ...rest } = await client.chat.completions.create({ model, messages });
      return rest;
    };
    assert.deepEqual(await ask(), await ask());
  });

  test("a request without model or messages is refused by name", async (t) => {
    const { client } = await withUpstream(t);
    await assert.rejects(client.chat.completions.create({ model: "", messages }), /400 you must provide a model/);
    await assert.rejects(client.chat.completions.create({ model, messages: [] }), { status: 400, param: "messages" });
    await assert.rejects(client.chat.completions.create({ model, messages, n: 129 }), { status: 400, param: "n" });
  });
});
