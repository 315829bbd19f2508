import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";

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
  test("the answer echoes the last user message and reports its token counts", async (t) => {
    const { client, upstream } = await withStubServer(t);
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

  test("a stream has one chunk per token, the requested usage, and the same text", async (t) => {
    const { client, upstream } = await withStubServer(t);
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
    const { client } = await withStubServer(t);
    const chunks = await collect(await client.chat.completions.create({ model, messages, stream: true }));
    assert.ok(chunks.every((chunk) => chunk.usage === undefined && chunk.choices.length === 1));
  });

  test("with a pause between chunks the first arrives before the rest is sent", async (t) => {
    const { client, upstream } = await withStubServer(t, {
      behaviour: { kind: "slow", headersDelayMs: 0, chunkDelayMs: 5_000 },
    });
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    // Does not wait for the rest.
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    assert.equal(upstream.requests[0]?.tokensServed, 1);
  });

  test("max_completion_tokens truncates the answer, reasoning included", async (t) => {
    const { client } = await withStubServer(t, {
      behaviour: { kind: "normal", pieces: 50, reasoningTokens: 4, cachedTokens: 2 },
    });
    const completion = await client.chat.completions.create({ model, messages, max_completion_tokens: 10 });
    assert.equal(completion.choices[0]?.finish_reason, "length");
    assert.equal(completion.choices[0]?.message.content?.split(" ").length, 6);
    assert.equal(completion.usage?.completion_tokens, 10);
    assert.equal(completion.usage?.completion_tokens_details?.reasoning_tokens, 4);
    assert.equal(completion.usage?.prompt_tokens_details?.cached_tokens, 2);
  });

  test("n sets the number of choices, also in a stream", async (t) => {
    const { client } = await withStubServer(t);
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

  test("a required tool is called with arguments that match its parameters", async (t) => {
    const { client } = await withStubServer(t);
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
    const { client } = await withStubServer(t);
    const named = { type: "function" as const, function: { name: "get_weather" } };
    const stream = client.chat.completions.stream({ model, messages, tools: [weather], tool_choice: named });
    const completion = await stream.finalChatCompletion();
    const call = completion.choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.deepEqual(JSON.parse(call.function.arguments), weatherArguments);
    assert.equal(completion.choices[0]?.finish_reason, "tool_calls");
  });

  test("optional tools are not called, unless the behaviour demands it", async (t) => {
    const { client, upstream } = await withStubServer(t);
    const left = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.equal(left.choices[0]?.message.content, "You said: hello there");
    upstream.setBehaviour({ kind: "normal", callTool: true });
    const called = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.equal(called.choices[0]?.finish_reason, "tool_calls");
  });

  test("the arguments of a tool call contain the text of the behaviour", async (t) => {
    const { client } = await withStubServer(t, { behaviour: { kind: "normal", callTool: true, toolText: "Rome" } });
    const completion = await client.chat.completions.create({ model, messages, tools: [weather] });
    const call = completion.choices[0]?.message.tool_calls?.[0];
    assert.ok(call?.type === "function");
    assert.match(call.function.arguments, /"Rome"/);
    assert.doesNotMatch(call.function.arguments, /hello there/);
  });

  test("two upstreams with the same seed give the same answers", async (t) => {
    const ask = async (): Promise<unknown> => {
      const { client } = await withStubServer(t, { seed: 5, behaviour: { kind: "normal", pieces: 30 } });
      const { created: _, ...rest } = await client.chat.completions.create({ model, messages });
      return rest;
    };
    assert.deepEqual(await ask(), await ask());
  });

  test("a request without model or messages is refused by name", async (t) => {
    const { client } = await withStubServer(t);
    await assert.rejects(client.chat.completions.create({ model: "", messages }), /400 you must provide a model/);
    await assert.rejects(client.chat.completions.create({ model, messages: [] }), { status: 400, param: "messages" });
    await assert.rejects(client.chat.completions.create({ model, messages, n: 129 }), { status: 400, param: "n" });
  });
});

const instructModel = "gpt-3.5-turbo-instruct";

suite("completions through the openai SDK", () => {
  test("a prompt is echoed and counted", async (t) => {
    const { client } = await withStubServer(t);
    const completion = await client.completions.create({ model: instructModel, prompt: "hello there" });
    assert.equal(completion.object, "text_completion");
    assert.equal(completion.choices[0]?.text, "You said: hello there");
    assert.equal(completion.usage?.prompt_tokens, 2);
    assert.equal(completion.usage?.completion_tokens, 4);
  });

  test("a stream has the text in chunks, then the usage", async (t) => {
    const { client } = await withStubServer(t);
    const stream = await client.completions.create({
      model: instructModel,
      prompt: "one two three",
      max_tokens: 4,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    assert.deepEqual(
      chunks.map((chunk) => chunk.choices[0]?.text),
      ["You", " said:", " one", " two", "", undefined],
    );
    assert.equal(chunks[4]?.choices[0]?.finish_reason, "length");
    assert.equal(chunks[5]?.usage?.completion_tokens, 4);
  });

  test("every prompt of a list has its choices in order", async (t) => {
    const { client } = await withStubServer(t);
    const completion = await client.completions.create({ model: instructModel, prompt: ["one", "two"], n: 2 });
    assert.deepEqual(
      completion.choices.map(({ index, text }) => `${index} ${text}`),
      ["0 You said: one", "1 You said: one", "2 You said: two", "3 You said: two"],
    );
  });
});

const cases: [override: Omit<Extract<Behaviour, { kind: "usage-override" }>, "kind">, expected: object | undefined][] =
  [
    [
      { report: "given", usage: { prompt_tokens: -1, extra: "x" } },
      { prompt_tokens: -1, extra: "x" },
    ],
    [{ report: "total-only" }, { total_tokens: 12 }],
    [{ report: "none" }, undefined],
  ];

suite("usage overrides", () => {
  for (const [override, expected] of cases) {
    test(`${override.report} is reported in documents and streams, the served tokens stay true`, async (t) => {
      const { client, upstream } = await withStubServer(t, { behaviour: { kind: "usage-override", ...override } });
      const completion = await client.chat.completions.create({ model: "m", messages });
      assert.deepEqual(completion.usage, expected);
      const stream_options = { include_usage: true };
      const stream = await client.chat.completions.create({ model: "m", messages, stream: true, stream_options });
      const chunks = await collect(stream);
      assert.deepEqual(chunks.find((chunk) => chunk.usage)?.usage, expected);
      assert.deepEqual(
        upstream.requests.map((request) => request.tokensServed),
        [4, 4],
      );
    });
  }

  test("an explicit zero is zero in every field", async (t) => {
    const { client } = await withStubServer(t, { behaviour: { kind: "usage-override", report: "zero" } });
    const { usage } = await client.chat.completions.create({ model: "m", messages });
    assert.equal(usage?.prompt_tokens, 0);
    assert.equal(usage?.total_tokens, 0);
    assert.equal(usage?.completion_tokens_details?.reasoning_tokens, 0);
    const embedding = await client.embeddings.create({ model: "m", input: "a b", dimensions: 2 });
    assert.deepEqual(embedding.usage, { prompt_tokens: 0, total_tokens: 0 });
  });
});
