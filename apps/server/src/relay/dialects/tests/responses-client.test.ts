import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-sonnet-4-5";
const GEMINI = "gemini-3-flash-preview";
const DEEPSEEK = "deepseek-chat";
/** Of models that chats reach by this API alone. */
const CODEX = "gpt-5-codex";
/** Of models that refuse tools by chat: with an effort, and always while they reason. */
const WITH_EFFORT = "gpt-5.4";
const WITH_TOOLS = "gpt-5.6-sol";
const MODELS = [TEST_MODEL, CLAUDE, GEMINI, DEEPSEEK];
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let gateway: RelayTest;
let upstream: StubServer;
let openai: OpenAI;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: [TEST_MODEL, CODEX, WITH_EFFORT, WITH_TOOLS].join() });
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  await gateway.addChannel(upstream, { type: 24, models: GEMINI });
  await gateway.addChannel(upstream, { type: 36, models: DEEPSEEK });
  openai = gateway.sdk(await gateway.addToken());
});
after(() => gateway.close());
beforeEach(() => {
  upstream.clearRequests();
  for (const id of [1, 2, 3, 4]) gateway.testApp.deps.relay.health.forget(id);
});

const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tool: OpenAI.Responses.Tool = { type: "function", name: "weather", parameters, strict: true };

type Ask = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "input">;

async function refusal(asked: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error: unknown = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return error;
}

for (const model of MODELS) {
  describe(`the official client's responses with ${model}`, () => {
    it("are charged as they were reported", async () => {
      const response = await openai.responses.create({
        model,
        input: "hello",
        instructions: "Be brief.",
        max_output_tokens: 100,
      });
      assert.deepEqual(
        [response.output_text, response.status, response.object],
        ["You said: hello", "completed", "response"],
      );
      assert.match(response.id, /^resp_/);
      const log = await gateway.lastLog();
      assert.deepEqual(
        [log.completion_tokens, log.prompt_tokens],
        [response.usage?.output_tokens, response.usage?.input_tokens],
      );
      assert.ok(log.quota > 0);
    });

    it("stream every event in order, numbered, and end with the whole", async () => {
      const stream = await openai.responses.create({ model, input: "streamed words", stream: true });
      const types: string[] = [];
      const numbers: number[] = [];
      let text = "";
      let last: OpenAI.Responses.Response | undefined;
      for await (const event of stream) {
        if (types.at(-1) !== event.type) types.push(event.type);
        numbers.push(event.sequence_number);
        if (event.type === "response.output_text.delta") text += event.delta;
        if (event.type === "response.completed") last = event.response;
      }
      assert.deepEqual(types, [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ]);
      assert.deepEqual(
        numbers,
        numbers.toSorted((left, right) => left - right),
      );
      assert.equal(text, "You said: streamed words");
      assert.equal((await gateway.lastLog()).completion_tokens, last?.usage?.output_tokens);
    });

    it("use tools over several turns, streamed or not", async () => {
      const ask = { model, tools: [tool], reasoning: { effort: "low" as const, summary: "auto" as const } };
      const first = await openai.responses.create({ ...ask, input: "Ulm", tool_choice: "required" });
      const call = first.output.find((item) => item.type === "function_call");
      assert.ok(call !== undefined);
      assert.deepEqual([call.name, JSON.parse(call.arguments)], ["weather", { city: "Ulm" }]);
      const output = { type: "function_call_output" as const, call_id: call.call_id, output: "Sun" };
      const input: OpenAI.Responses.ResponseInput = [
        { role: "user", content: "Ulm" },
        ...first.output.filter((item) => item.type === "function_call" || item.type === "reasoning"),
        output,
      ];
      const second = await openai.responses.create({ ...ask, input });
      assert.match(second.output_text, /^You said: (?:Sun|Ulm)$/);
      const stream = openai.responses.stream({
        ...ask,
        input: "Ulm",
        tool_choice: { type: "function", name: "weather" },
      });
      const streamed = (await stream.finalResponse()).output.find((item) => item.type === "function_call");
      assert.deepEqual(streamed?.type === "function_call" && JSON.parse(streamed.arguments), { city: "Ulm" });
    });

    it("show pictures and say where they were cut off", async () => {
      const image = {
        type: "input_image" as const,
        detail: "auto" as const,
        image_url: `data:image/png;base64,${PIXEL}`,
      };
      const input = [{ role: "user" as const, content: [{ type: "input_text" as const, text: "Look" }, image] }];
      const seen = await openai.responses.create({ model, input });
      assert.equal(seen.output_text, "You said: Look");
      assert.match(upstream.requests.at(-1)?.bodyText ?? "", new RegExp(PIXEL.slice(0, 40)));
      const cut = await openai.responses.create({ model, input: "one two three four five six", max_output_tokens: 3 });
      assert.deepEqual([cut.status, cut.incomplete_details?.reason], ["incomplete", "max_output_tokens"]);
    });

    it("are counted for nothing", async () => {
      const { input_tokens: tokens } = await openai.responses.inputTokens.count({ model, input: "one two three" });
      assert.ok(tokens > 2 && tokens < 20, String(tokens));
    });

    it("break off with an error event, and are paid for as far as they came", async () => {
      let text = "";
      await assert.rejects(async () => {
        const input = '[[fake: {"kind":"cut","afterChunks":3}]] one two three four';
        for await (const event of await openai.responses.create({ model, input, stream: true })) {
          if (event.type === "response.output_text.delta") text += event.delta;
        }
      }, /failed to answer/);
      assert.ok(text.startsWith("You said:"));
      assert.deepEqual([(await gateway.lastLog()).result, (await gateway.lastLog()).quota > 0], ["cut", true]);
    });

    it("fail with the client's own classes", async () => {
      const error = await refusal(
        openai.responses.create({ model, input: '[[fake: {"kind":"refuse","status":400}]]' }),
      );
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.match(error.message, /request id: /);
    });
  });
}

describe("OpenAI's Responses API", () => {
  it("passes to OpenAI as it was written, and back", async () => {
    const key = await gateway.addToken();
    const text = `{ "model":"${TEST_MODEL}", "input" : "hello", "metadata":{"a":"b"} }`;
    const answer = await gateway.post("/v1/responses", key, text);
    const [request] = upstream.requests;
    assert.deepEqual([request?.path, request?.bodyText], ["/v1/responses", text]);
    assert.equal(recordOf(await answer.json()).created_at, 1_715_367_049);
  });

  it("goes on with what OpenAI has kept, and is refused clearly where nobody has", async () => {
    const first = await openai.responses.create({ model: TEST_MODEL, input: "hello" });
    const next = await openai.responses.create({ model: TEST_MODEL, input: "more", previous_response_id: first.id });
    assert.equal(next.output_text, "You said: more");
    const error = await refusal(
      openai.responses.create({ model: CLAUDE, input: "more", previous_response_id: first.id }),
    );
    assert.deepEqual([error.status, error.param], [400, "previous_response_id"]);
    assert.match(error.message, /Send the whole conversation without it/);
    const gone = await refusal(
      openai.responses.create({ model: TEST_MODEL, input: "more", previous_response_id: "resp_x" }),
    );
    assert.deepEqual([gone.status, gone.code], [400, "previous_response_not_found"]);
  });

  it("refuses what could not be charged", async () => {
    const background = await refusal(openai.responses.create({ model: TEST_MODEL, input: "hello", background: true }));
    assert.deepEqual([background.status, background.param], [400, "background"]);
    const tools = [{ type: "image_generation" as const }];
    const drawing = await refusal(openai.responses.create({ model: TEST_MODEL, input: "hello", tools }));
    assert.deepEqual([drawing.status, drawing.param], [400, "tools.0"]);
    for (const type of ["additional_tools", "tool_search_output"]) {
      const body = { model: TEST_MODEL, input: [{ type, tools }] };
      const added = await gateway.post("/v1/responses", await gateway.addToken(), body);
      assert.equal(added.status, 400, type);
    }
    for (const container of [
      { type: "code_interpreter", container: { type: "auto", memory_limit: "64g" } },
      { type: "shell", environment: { type: "container_auto", memory_limit: "64g" } },
    ]) {
      const input = [{ type: "additional_tools", role: "developer", tools: [container] }];
      const answer = await gateway.post("/v1/responses", await gateway.addToken(), { model: TEST_MODEL, input });
      assert.equal(answer.status, 400, container.type);
    }
    assert.equal(upstream.requests.length, 0);
  });

  it("gives tools whose input is a text their text, whoever answers", async () => {
    const tools: OpenAI.Responses.Tool[] = [{ type: "custom", name: "patch", description: "Applies a patch" }];
    for (const model of [CLAUDE, GEMINI, DEEPSEEK]) {
      const ask = { model, tools, input: "Ulm", tool_choice: "required" as const };
      const whole = (await openai.responses.create(ask)).output.find((item) => item.type === "custom_tool_call");
      assert.equal(whole?.type === "custom_tool_call" && whole.input, "Ulm", model);
      const streamed = (await openai.responses.stream(ask).finalResponse()).output;
      const call = streamed.find((item) => item.type === "custom_tool_call");
      assert.ok(call?.type === "custom_tool_call" && call.input === "Ulm", model);
      const input: OpenAI.Responses.ResponseInput = [
        { role: "user", content: "Ulm" },
        { type: "custom_tool_call", call_id: call.call_id, name: "patch", input: "Ulm" },
        { type: "custom_tool_call_output", call_id: call.call_id, output: "Done" },
      ];
      assert.match((await openai.responses.create({ model, tools, input })).output_text, /^You said: (?:Done|Ulm)$/);
    }
  });

  it("keeps thoughts and what proves them through Claude's and Gemini's turns", async () => {
    for (const model of [CLAUDE, GEMINI]) {
      const reasoning = { effort: "low" as const, summary: "auto" as const };
      const ask: Ask = { model, reasoning, max_output_tokens: 8_000, tools: [tool] };
      const called = model === GEMINI ? { tool_choice: "required" as const } : {};
      const { output } = await openai.responses.create({ ...ask, ...called, input: "Ulm" });
      const thought = output.find((item) => item.type === "reasoning");
      assert.equal(thought?.type === "reasoning" && thought.summary[0]?.text, "They want an answer.", model);
      const call = output.find((item) => item.type === "function_call");
      const results: OpenAI.Responses.ResponseInput =
        call === undefined ? [] : [{ type: "function_call_output", call_id: call.call_id, output: "Sun" }];
      const input: OpenAI.Responses.ResponseInput = [
        { role: "user", content: "Ulm" },
        ...output.filter(
          (item) => item.type === "message" || item.type === "reasoning" || item.type === "function_call",
        ),
        ...results,
        { role: "user", content: "More" },
      ];
      assert.equal((await openai.responses.create({ ...ask, input })).output_text, "You said: More", model);
      assert.match(upstream.requests.at(-1)?.bodyText ?? "", /"(?:signature|thoughtSignature)":"[^"]{40,}"/, model);
    }
  });

  it("is how chats reach the models that answer nowhere else", async () => {
    const messages = [{ role: "user" as const, content: "hello" }];
    const answer = await openai.chat.completions.create({ model: CODEX, messages, reasoning_effort: "low" });
    assert.deepEqual(
      [answer.choices[0]?.message.content, upstream.requests.at(-1)?.path],
      ["You said: hello", "/v1/responses"],
    );
    assert.equal(recordOf(answer.choices[0]?.message).reasoning_content, "They want an answer.");
    const stream = openai.chat.completions.stream({ model: CODEX, messages });
    assert.equal((await stream.finalContent()) ?? "", "You said: hello");
    const log = await gateway.lastLog();
    assert.ok(log.quota > 0 && log.result === "ok");
    const asked: JsonRecord = recordOf(upstream.requests.at(-1)?.body);
    assert.deepEqual([asked.store, listOf(asked.include)], [false, ["reasoning.encrypted_content"]]);
  });

  it("is how calls with tools reach the models that refuse them by chat, in every dialect", async () => {
    const key = await gateway.addToken();
    const messages = [{ role: "user", content: "hello" }];
    const chatTools = [{ type: "function", function: { name: "weather", parameters } }];
    const tools = [{ name: "weather", input_schema: parameters }];
    const contents = [{ role: "user", parts: [{ text: "hello" }] }];
    const declared = [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: parameters }] }];
    const thinks = { generationConfig: { thinkingConfig: { thinkingLevel: "low" } } };
    const rows: readonly (readonly [string, string, JsonRecord, boolean])[] = [
      ["/v1/chat/completions", WITH_EFFORT, { messages, tools: chatTools }, false],
      ["/v1/chat/completions", WITH_EFFORT, { messages, tools: chatTools, reasoning_effort: "none" }, false],
      ["/v1/chat/completions", WITH_EFFORT, { messages, tools: chatTools, reasoning_effort: "low" }, true],
      ["/v1/chat/completions", WITH_EFFORT, { messages, reasoning_effort: "low" }, false],
      ["/v1/chat/completions", WITH_TOOLS, { messages, tools: chatTools }, true],
      ["/v1/chat/completions", WITH_TOOLS, { messages, tools: chatTools, reasoning_effort: "none" }, false],
      ["/v1/messages", WITH_EFFORT, { messages, max_tokens: 50, tools }, false],
      ["/v1/messages", WITH_EFFORT, { messages, max_tokens: 50, tools, output_config: { effort: "low" } }, true],
      ["/v1/messages", WITH_EFFORT, { messages, max_tokens: 50, tools, thinking: { type: "adaptive" } }, true],
      ["/v1/messages", WITH_TOOLS, { messages, max_tokens: 50, tools }, true],
      ["/v1/messages", WITH_TOOLS, { messages, max_tokens: 50, tools, thinking: { type: "disabled" } }, false],
      ["/v1/messages", TEST_MODEL, { messages, max_tokens: 50, tools, thinking: { type: "adaptive" } }, false],
      [`/v1beta/models/${WITH_EFFORT}:generateContent`, "", { contents, tools: declared }, false],
      [`/v1beta/models/${WITH_EFFORT}:generateContent`, "", { contents, tools: declared, ...thinks }, true],
      [`/v1beta/models/${WITH_TOOLS}:generateContent`, "", { contents, tools: declared }, true],
    ];
    for (const [path, model, body, isByResponses] of rows) {
      const answer = await fetch(gateway.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...(model !== "" && { model }), ...body }),
      });
      const told = `${path} ${model} ${JSON.stringify(body)}: ${await answer.text()}`;
      assert.equal(answer.status, 200, told);
      const asked = isByResponses ? "/v1/responses" : "/v1/chat/completions";
      assert.equal(upstream.requests.at(-1)?.path, asked, told);
    }
  });
});
