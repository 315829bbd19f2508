import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-sonnet-4-5";
const GEMINI = "gemini-3-flash-preview";
const MODELS = [TEST_MODEL, CLAUDE, GEMINI];
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let gateway: RelayTest;
let upstream: StubServer;
let key: string;
let openai: OpenAI;
let anthropic: Anthropic;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: TEST_MODEL });
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  await gateway.addChannel(upstream, { type: 24, models: GEMINI });
  key = await gateway.addToken();
  openai = gateway.sdk(key);
  anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
});
after(() => gateway.close());
beforeEach(() => upstream.clearRequests());

const lastBody = (): JsonRecord => recordOf(upstream.requests.at(-1)?.body);

const schema = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };

for (const model of MODELS) {
  describe(`the official OpenAI client with ${model}`, () => {
    const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: "user", content });
    const tool: OpenAI.ChatCompletionTool = { type: "function", function: { name: "weather", parameters: schema } };

    it("reads an answer, which is charged as it was reported", async () => {
      const answer = await openai.chat.completions.create({
        model,
        max_tokens: 100,
        messages: [{ role: "system", content: "Be brief." }, user("hello")],
      });
      assert.equal(answer.choices[0]?.message.content, "You said: hello");
      assert.equal(answer.choices[0].finish_reason, "stop");
      assert.equal(answer.object, "chat.completion");
      const log = await gateway.lastLog();
      assert.deepEqual([log.result, log.completion_tokens], ["ok", answer.usage?.completion_tokens]);
      assert.ok(log.prompt_tokens > 0 && log.prompt_tokens === answer.usage?.prompt_tokens && log.quota > 0);
    });

    it("reads a stream with its usage at the end", async () => {
      const stream = await openai.chat.completions.create({
        model,
        max_tokens: 100,
        stream: true,
        stream_options: { include_usage: true },
        messages: [user("streamed words")],
      });
      const seen = { text: "", finish: "", usage: 0, ids: new Set<string>() };
      for await (const { id, choices, usage } of stream) {
        seen.text += choices[0]?.delta.content ?? "";
        seen.finish = choices[0]?.finish_reason ?? seen.finish;
        seen.usage = usage?.completion_tokens ?? seen.usage;
        seen.ids.add(id);
      }
      assert.deepEqual([seen.text, seen.finish, seen.ids.size], ["You said: streamed words", "stop", 1]);
      assert.equal((await gateway.lastLog()).completion_tokens, seen.usage);
    });

    it("uses tools over several turns, streamed or not", async () => {
      const messages = [user("Ulm")];
      const first = await openai.chat.completions.create({ model, messages, tools: [tool], tool_choice: "required" });
      const [choice] = first.choices;
      const call = choice?.message.tool_calls?.[0];
      assert.ok(choice !== undefined && call?.type === "function");
      assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ["weather", { city: "Ulm" }]);
      const next = [...messages, choice.message, { role: "tool" as const, tool_call_id: call.id, content: "Sun" }];
      const second = await openai.chat.completions.create({ model, messages: next });
      assert.match(second.choices[0]?.message.content ?? "", /^You said: (?:Sun|Ulm)$/);
      const stream = openai.chat.completions.stream({
        model,
        messages,
        tools: [tool],
        tool_choice: { type: "function", function: { name: "weather" } },
      });
      const streamed = (await stream.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
      assert.deepEqual(streamed?.type === "function" && JSON.parse(streamed.function.arguments), { city: "Ulm" });
    });

    it("shows pictures", async () => {
      const url = `data:image/png;base64,${PIXEL}`;
      const content = [
        { type: "text" as const, text: "Look" },
        { type: "image_url" as const, image_url: { url } },
      ];
      const answer = await openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
      assert.equal(answer.choices[0]?.message.content, "You said: Look");
      assert.ok((answer.usage?.prompt_tokens ?? 0) > 85);
      assert.match(JSON.stringify(lastBody()), new RegExp(PIXEL.slice(0, 40)));
    });

    it("throws its own class for refusals and failures, with the request's id", async () => {
      const rows = [
        [OpenAI.BadRequestError, 400, 400],
        [OpenAI.RateLimitError, 429, 429],
        [OpenAI.InternalServerError, 502, 500],
      ] as const;
      for (const [kind, status, provider] of rows) {
        const caller = gateway.sdk(await gateway.addToken());
        const messages = [user(`[[fake: {"kind":"refuse","status":${provider}}]]`)];
        const error: unknown = await caller.chat.completions.create({ model, messages }).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof kind, `${status}: ${String(error)}`);
        assert.equal(error.status, status);
        assert.match(error.message, new RegExp(`request id: ${error.requestID}\\)`));
        for (const id of [1, 2, 3]) gateway.testApp.deps.relay.health.forget(id);
      }
    });

    it("throws in the middle of a stream that the provider breaks off, and pays for what came", async () => {
      let text = "";
      await assert.rejects(
        async () => {
          const messages = [user('[[fake: {"kind":"cut","afterChunks":3}]] one two three four')];
          const stream = await openai.chat.completions.create({ model, messages, stream: true });
          for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
        },
        (error) => error instanceof OpenAI.APIError && error.code === "upstream_failed",
      );
      assert.ok(text.startsWith("You said:"));
      const log = await gateway.lastLog();
      assert.equal(log.result, "cut");
      assert.ok(log.completion_tokens >= 3 && log.quota > 0);
    });
  });

  describe(`the official Anthropic client with ${model}`, () => {
    const user = (content: string): Anthropic.MessageParam => ({ role: "user", content });
    const tool: Anthropic.Tool = { name: "weather", input_schema: schema };
    const max_tokens = 4_000;

    it("reads an answer, which is charged as it was reported", async () => {
      const answer = await anthropic.messages.create({
        model,
        max_tokens,
        system: "Be brief.",
        messages: [user("hello")],
      });
      assert.deepEqual(
        answer.content.map((block) => block.type === "text" && block.text),
        ["You said: hello"],
      );
      assert.deepEqual([answer.type, answer.stop_reason, answer.stop_details], ["message", "end_turn", null]);
      const log = await gateway.lastLog();
      assert.deepEqual([log.result, log.completion_tokens], ["ok", answer.usage.output_tokens]);
      assert.ok(log.prompt_tokens > 0 && log.prompt_tokens === answer.usage.input_tokens && log.quota > 0);
    });

    it("reads a stream", async () => {
      const stream = anthropic.messages.stream({ model, max_tokens, messages: [user("streamed words")] });
      let text = "";
      stream.on("text", (piece) => (text += piece));
      const message = await stream.finalMessage();
      assert.deepEqual([text, message.stop_reason], ["You said: streamed words", "end_turn"]);
      assert.deepEqual(
        message.content.map(({ type }) => type),
        ["text"],
      );
      const log = await gateway.lastLog();
      assert.deepEqual(
        [log.completion_tokens, log.prompt_tokens],
        [message.usage.output_tokens, message.usage.input_tokens],
      );
    });

    it("uses tools over several turns, streamed or not", async () => {
      const ask = { model, max_tokens, tools: [tool] };
      const first = await anthropic.messages.create({ ...ask, messages: [user("Ulm")], tool_choice: { type: "any" } });
      assert.equal(first.stop_reason, "tool_use");
      const call = first.content.find((block) => block.type === "tool_use");
      assert.ok(call !== undefined);
      assert.deepEqual([call.name, call.input], ["weather", { city: "Ulm" }]);
      const second = await anthropic.messages.create({
        ...ask,
        messages: [
          user("Ulm"),
          { role: "assistant", content: first.content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "Sun" }] },
        ],
      });
      assert.equal(second.stop_reason, "end_turn");
      const chosen = { ...ask, messages: [user("Ulm")], tool_choice: { type: "tool" as const, name: "weather" } };
      const streamed = await anthropic.messages.stream(chosen).finalMessage();
      assert.deepEqual(
        [streamed.stop_reason, streamed.content.flatMap((block) => (block.type === "tool_use" ? [block.input] : []))],
        ["tool_use", [{ city: "Ulm" }]],
      );
    });

    it("shows pictures", async () => {
      const source = { type: "base64" as const, media_type: "image/png" as const, data: PIXEL };
      const content = [
        { type: "image" as const, source },
        { type: "text" as const, text: "Look" },
      ];
      const answer = await anthropic.messages.create({ model, max_tokens, messages: [{ role: "user", content }] });
      assert.deepEqual(
        answer.content.map((block) => block.type === "text" && block.text),
        ["You said: Look"],
      );
      assert.ok(answer.usage.input_tokens > 85);
    });

    it("throws its own class for refusals and failures, with the request's id", async () => {
      const fake = (status: number) => `[[fake: {"kind":"refuse","status":${status}}]]`;
      const rows = [
        [Anthropic.BadRequestError, 400, "invalid_request_error", fake(400)],
        [Anthropic.RateLimitError, 429, "rate_limit_error", fake(429)],
        [Anthropic.InternalServerError, 502, "api_error", fake(500)],
      ] as const;
      for (const [kind, status, type, said] of rows) {
        const caller = new Anthropic({ apiKey: await gateway.addToken(), baseURL: gateway.url, maxRetries: 0 });
        const error: unknown = await caller.messages.create({ model, max_tokens, messages: [user(said)] }).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof kind, `${status}: ${String(error)}`);
        assert.deepEqual([error.status, error.type], [status, type]);
        assert.match(error.message, new RegExp(`request id: ${error.requestID}\\)`));
        for (const id of [1, 2, 3]) gateway.testApp.deps.relay.health.forget(id);
      }
    });

    it("throws in the middle of a stream that the provider breaks off, and pays for what came", async () => {
      let text = "";
      await assert.rejects(
        async () => {
          const messages = [user('[[fake: {"kind":"cut","afterChunks":3}]] one two three four')];
          for await (const event of await anthropic.messages.create({ model, max_tokens, messages, stream: true })) {
            if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
          }
        },
        (error) => error instanceof Anthropic.APIError && error.type === "api_error",
      );
      assert.ok(text.startsWith("You said:"));
      const log = await gateway.lastLog();
      assert.equal(log.result, "cut");
      assert.ok(log.completion_tokens >= 3 && log.quota > 0);
      assert.match(log.detail, /"rule":"partial"/);
    });

    it("pays for what it got when it leaves", async () => {
      const messages = [user('[[fake: {"kind":"normal","pieces":200,"chunkDelayMs":20}]] tell')];
      const stream = await anthropic.messages.create({ model, max_tokens, messages, stream: true });
      let pieces = 0;
      for await (const event of stream) {
        if (event.type === "content_block_delta") pieces += 1;
        if (pieces === 5) break;
      }
      await upstream.waitForAbort();
      const log = await gateway.lastLog();
      assert.equal(log.result, "caller-gone");
      assert.ok(log.completion_tokens >= 5 && log.completion_tokens < 150, String(log.completion_tokens));
    });
  });
}

it("the stub provider is one that the official Anthropic client talks to", async () => {
  const direct = new Anthropic({ apiKey: "sk-upstream", baseURL: upstream.at("anthropic"), maxRetries: 0 });
  const ask = { model: CLAUDE, max_tokens: 2_000, messages: [{ role: "user" as const, content: "hello" }] };
  const thinking = { type: "enabled" as const, budget_tokens: 1_024 };
  const whole = await direct.messages.create({ ...ask, thinking });
  const streamed = await direct.messages.stream({ ...ask, thinking }).finalMessage();
  assert.deepEqual(streamed.content, whole.content);
  assert.deepEqual(
    whole.content.map(({ type }) => type),
    ["thinking", "text"],
  );
  assert.equal((await direct.messages.countTokens({ model: CLAUDE, messages: ask.messages })).input_tokens, 4);
  await assert.rejects(
    direct.messages.create({ ...ask, max_tokens: 1_024, thinking }),
    (error) => error instanceof Anthropic.BadRequestError && /max_tokens/.test(error.message),
  );
});

describe("thoughts and their signatures", () => {
  const tools: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { name: "weather", parameters: schema } }];
  const marker = '[[fake: {"kind":"normal","callTool":true}]] Ulm';

  it("go through Anthropic's dialect untouched, hidden ones too", async () => {
    const ask = {
      model: CLAUDE,
      max_tokens: 4_000,
      thinking: { type: "enabled" as const, budget_tokens: 2_000 },
      tools: [{ name: "weather", input_schema: schema }],
    };
    const hide =
      "ANTHROPIC_MAGIC_STRING_TRIGGER_REDACTED_THINKING_46C9A13E193C177646C7398A98432ECCCE4C1253D5E2D82641AC0E52CC2876CB";
    for (const said of [marker, `${marker} ${hide}`]) {
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: said }];
      const first = await anthropic.messages.stream({ ...ask, messages }).finalMessage();
      const call = first.content.find((block) => block.type === "tool_use");
      assert.ok(call !== undefined);
      const second = await anthropic.messages.create({
        ...ask,
        messages: [
          ...messages,
          { role: "assistant", content: first.content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "Sun" }] },
        ],
      });
      assert.deepEqual(second.content.map(({ type }) => type).slice(0, 1), ["thinking"]);
    }
  });

  it("reach a caller of OpenAI's API, and what it sends back is taken as Anthropic's own", async () => {
    const ask = { model: CLAUDE, max_tokens: 4_000, reasoning_effort: "low" as const, tools };
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: marker }];
    const first = await openai.chat.completions.create({ ...ask, messages });
    const [choice] = first.choices;
    const call = choice?.message.tool_calls?.[0];
    assert.ok(choice !== undefined && call !== undefined);
    const { reasoning_content: thought, reasoning_details: details } = recordOf(choice.message);
    assert.equal(thought, "They want an answer.");
    assert.deepEqual(
      listOf(details).map((detail) => typeof recordOf(detail).signature),
      ["string"],
    );
    const next = [...messages, choice.message, { role: "tool" as const, tool_call_id: call.id, content: "Sun" }];
    const second = await openai.chat.completions.create({ ...ask, messages: next }).withResponse();
    assert.equal(recordOf(second.data.choices[0]?.message).reasoning_content, "They want an answer.");
    assert.equal(second.response.headers.get("x-dropped-fields"), null);
    assert.deepEqual(recordOf(lastBody().thinking), { type: "enabled", budget_tokens: 2_048 });

    const forgotten = { role: "assistant" as const, tool_calls: [call] };
    const without = [...messages, forgotten, { role: "tool" as const, tool_call_id: call.id, content: "Sun" }];
    const third = await openai.chat.completions.create({ ...ask, messages: without }).withResponse();
    assert.equal(third.response.headers.get("x-dropped-fields"), "reasoning_effort");
    assert.match((await gateway.lastLog()).detail, /"dropped":\["reasoning_effort"\]/);
  });
});

describe("marks of the cache", () => {
  const cached = '[[fake: {"kind":"normal","cachedTokens":8}]]';
  const words = "one two three four five six seven eight nine ten";

  it("are charged where they write and where they read, for callers of both", async () => {
    const block = { type: "text" as const, text: words, cache_control: { type: "ephemeral" as const } };
    const ask = (said: string) =>
      anthropic.messages.create({
        model: CLAUDE,
        max_tokens: 100,
        system: [block],
        messages: [{ role: "user", content: said }],
      });
    const written = await ask("hello");
    assert.ok((written.usage.cache_creation_input_tokens ?? 0) >= 10);
    const writing = await gateway.lastLog();
    assert.equal(writing.prompt_tokens, written.usage.input_tokens + (written.usage.cache_creation_input_tokens ?? 0));
    assert.match(writing.detail, /\["cache-write",14,1\.25\]/);
    const read = await ask(cached);
    assert.equal(read.usage.cache_read_input_tokens, 8);
    const reading = await gateway.lastLog();
    assert.equal(reading.prompt_tokens, read.usage.input_tokens + 8);

    const told = await openai.chat.completions.create({
      model: CLAUDE,
      messages: [
        { role: "system", content: [block] },
        { role: "user", content: cached },
      ],
    });
    assert.match(JSON.stringify(lastBody().system), /cache_control/);
    assert.equal(told.usage?.prompt_tokens_details?.cached_tokens, 8);
    assert.equal((await gateway.lastLog()).prompt_tokens, told.usage.prompt_tokens);
  });
});

describe("a value of a wrong type in a part of a message", () => {
  const part = [{ type: "text", text: 5 }];
  const ROWS: readonly (readonly [path: string, body: object, field: string])[] = [
    [
      "/v1/chat/completions",
      { model: CLAUDE, messages: [{ role: "user", content: part }] },
      "messages.0.content.0.text",
    ],
    ["/v1/responses", { model: CLAUDE, input: [{ role: "user", content: part }] }, "input.0.content.0.text"],
    [
      "/v1/messages",
      { model: TEST_MODEL, max_tokens: 5, messages: [{ role: "user", content: part }] },
      "messages.0.content.0.text",
    ],
    [
      `/v1beta/models/${TEST_MODEL}:generateContent`,
      { contents: [{ parts: [{ text: 5 }] }] },
      "contents.0.parts.0.text",
    ],
  ];

  it("is refused by its path in the error of each API, and nobody is asked", async () => {
    for (const [path, body, field] of ROWS) {
      const answer = await gateway.post(path, key, body);
      const { error, type } = recordOf(await answer.json());
      const { message, param, status, details } = recordOf(error);
      assert.equal(answer.status, 400, path);
      assert.match(String(message), new RegExp(`${field} must be a string\\.`), path);
      if (path.startsWith("/v1beta")) {
        assert.equal(status, "INVALID_ARGUMENT");
        assert.match(JSON.stringify(details), new RegExp(`"field":"${field}"`));
      } else if (path === "/v1/messages") assert.equal(type, "error");
      else assert.equal(param, field);
    }
    assert.equal(upstream.requests.length, 0);
  });
});
