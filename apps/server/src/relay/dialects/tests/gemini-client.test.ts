import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { ApiError, type Content, FunctionCallingConfigMode, GoogleGenAI } from "@google/genai";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import { z } from "zod";
import { setOptions } from "../../../testing/set-options.ts";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-sonnet-4-5";
const GEMINI = "gemini-3-flash-preview";
const EMBEDDING = "text-embedding-3-small";
const GEMINI_EMBEDDING = "gemini-embedding-001";
const MODELS = [GEMINI, TEST_MODEL, CLAUDE];
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let gateway: RelayTest;
let upstream: StubServer;
let key: string;
let google: GoogleGenAI;

const clientFor = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } });

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: `${TEST_MODEL},${EMBEDDING}` });
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  await gateway.addChannel(upstream, { type: 24, models: `${GEMINI},${GEMINI_EMBEDDING}` });
  key = await gateway.addToken();
  google = clientFor(key);
});
after(() => gateway.close());
beforeEach(() => upstream.clearRequests());

const lastBody = (): JsonRecord => recordOf(upstream.requests.at(-1)?.body);

const weather = {
  functionDeclarations: [
    {
      name: "weather",
      description: "The weather",
      parametersJsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
};

for (const model of MODELS) {
  describe(`the official Google client with ${model}`, () => {
    it("reads an answer, which is charged as it was reported", async () => {
      const answer = await google.models.generateContent({
        model,
        contents: "hello",
        config: { maxOutputTokens: 100, systemInstruction: "Be brief." },
      });
      assert.equal(answer.text, "You said: hello");
      assert.equal(answer.candidates?.[0]?.finishReason, "STOP");
      const log = await gateway.lastLog();
      const used = answer.usageMetadata;
      assert.deepEqual(
        [log.result, log.completion_tokens, log.prompt_tokens],
        ["ok", used?.candidatesTokenCount, used?.promptTokenCount],
      );
      assert.ok(log.quota > 0 && log.prompt_tokens > 0);
    });

    it("reads a stream, whose last event has the reason and the usage", async () => {
      let text = "";
      let last: { finish?: string; usage?: number } = {};
      for await (const chunk of await google.models.generateContentStream({ model, contents: "streamed words" })) {
        text += chunk.text ?? "";
        last = {
          ...(chunk.candidates?.[0]?.finishReason && { finish: chunk.candidates[0].finishReason }),
          ...(chunk.usageMetadata?.candidatesTokenCount && { usage: chunk.usageMetadata.candidatesTokenCount }),
        };
      }
      assert.deepEqual([text, last.finish], ["You said: streamed words", "STOP"]);
      assert.equal((await gateway.lastLog()).completion_tokens, last.usage);
    });

    it("uses tools over several turns, streamed or not", async () => {
      const calling = { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } };
      const config = { tools: [weather], toolConfig: calling };
      const first = await google.models.generateContent({ model, contents: "Ulm", config });
      const call = first.functionCalls?.[0];
      assert.deepEqual([call?.name, call?.args], ["weather", { city: "Ulm" }]);
      const asked = first.candidates?.[0]?.content;
      assert.ok(asked !== undefined);
      const id = call?.id === undefined ? {} : { id: call.id };
      const history: Content[] = [
        { role: "user", parts: [{ text: "Ulm" }] },
        asked,
        { role: "user", parts: [{ functionResponse: { ...id, name: "weather", response: { output: "Sun" } } }] },
      ];
      const second = await google.models.generateContent({ model, contents: history, config: { tools: [weather] } });
      assert.match(second.text ?? "", /^You said: (?:Sun|Ulm)$/);
      const calls: unknown[] = [];
      for await (const chunk of await google.models.generateContentStream({ model, contents: "Ulm", config })) {
        for (const { args } of chunk.functionCalls ?? []) calls.push(args);
      }
      assert.deepEqual(calls, [{ city: "Ulm" }]);
    });

    it("shows pictures", async () => {
      const contents = [{ text: "Look" }, { inlineData: { mimeType: "image/png", data: PIXEL } }];
      const answer = await google.models.generateContent({ model, contents });
      assert.equal(answer.text, "You said: Look");
      assert.match(JSON.stringify(lastBody()), new RegExp(PIXEL.slice(0, 40)));
    });

    it("counts a prompt for nothing", async () => {
      const { totalTokens } = await google.models.countTokens({ model, contents: "one two three" });
      assert.ok((totalTokens ?? 0) > 2 && (totalTokens ?? 0) < 20);
    });

    it("throws its own class for refusals and failures, with the request's id", async () => {
      const rows = [
        [400, "INVALID_ARGUMENT"],
        [429, "RESOURCE_EXHAUSTED"],
        [500, "INTERNAL"],
      ] as const;
      for (const [status, name] of rows) {
        const caller = clientFor(await gateway.addToken());
        const contents = `[[fake: {"kind":"refuse","status":${status}}]]`;
        const error: unknown = await caller.models.generateContent({ model, contents }).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        assert.ok(error instanceof ApiError, `${status}: ${String(error)}`);
        const told = recordOf(recordOf(JSON.parse(error.message)).error);
        assert.equal(error.status, status === 500 ? 502 : status);
        assert.deepEqual([told.status, told.code], [name, error.status]);
        assert.match(String(told.message), /request id: /);
        for (const id of [1, 2, 3]) gateway.testApp.deps.relay.health.forget(id);
      }
    });

    it("throws in the middle of a stream that the provider breaks off, and pays for what came", async () => {
      let text = "";
      await assert.rejects(async () => {
        const contents = '[[fake: {"kind":"cut","afterChunks":3}]] one two three four';
        for await (const chunk of await google.models.generateContentStream({ model, contents }))
          text += chunk.text ?? "";
      }, ApiError);
      assert.ok(text.startsWith("You said:"));
      const log = await gateway.lastLog();
      assert.deepEqual([log.result, log.quota > 0], ["cut", true]);
      for (const id of [1, 2, 3]) gateway.testApp.deps.relay.health.forget(id);
    });
  });
}

describe("Gemini's API", () => {
  const ask = (path: string, headers: Record<string, string> = {}, body: unknown = hello) =>
    fetch(gateway.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const hello = { contents: [{ parts: [{ text: "hello" }] }] };
  const path = `/v1beta/models/${GEMINI}:generateContent`;

  it("takes the key from each of its places with the same rights", async () => {
    for (const headers of [
      { "x-goog-api-key": key },
      { authorization: `Bearer ${key}` },
      { "x-api-key": key },
    ] as readonly Record<string, string>[]) {
      assert.equal((await ask(path, headers)).status, 200, Object.keys(headers)[0]);
    }
    assert.equal((await ask(`${path}?key=${key}`)).status, 200);
    assert.equal(JSON.stringify(upstream.requests).includes(key), false);
    const none = await ask(`${path}?key=sk-wrong`);
    assert.deepEqual([none.status, recordOf(recordOf(await none.json()).error).status], [401, "UNAUTHENTICATED"]);
  });

  it("passes a request to Gemini as it was written", async () => {
    const generationConfig = { maxOutputTokens: 100 };
    const body = {
      ...hello,
      generationConfig,
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
    };
    await ask(path, { "x-goog-api-key": key }, body);
    assert.equal(upstream.requests.at(-1)?.bodyText, JSON.stringify(body));
    assert.equal(upstream.requests.at(-1)?.headers["x-goog-api-key"], "sk-upstream");
  });

  it("streams one JSON list without alt=sse, also where it is cut", async () => {
    for (const model of MODELS) {
      const answer = await ask(`/v1beta/models/${model}:streamGenerateContent`, { "x-goog-api-key": key });
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
      const chunks = listOf(await answer.json()).map(recordOf);
      const parts = chunks.flatMap(({ candidates }) => listOf(recordOf(recordOf(listOf(candidates)[0]).content).parts));
      assert.equal(parts.map((part) => String(recordOf(part).text)).join(""), "You said: hello", model);
      const cut = { contents: [{ parts: [{ text: '[[fake: {"kind":"cut","afterChunks":2}]] one two three' }] }] };
      const broken = await ask(`/v1beta/models/${model}:streamGenerateContent`, { "x-goog-api-key": key }, cut);
      const last = recordOf(listOf(await broken.json()).at(-1));
      assert.equal(recordOf(last.error).code, 502, model);
      for (const id of [1, 2, 3]) gateway.testApp.deps.relay.health.forget(id);
    }
  });

  it("lists the models in Gemini's words", async () => {
    const names: string[] = [];
    for await (const { name } of await google.models.list()) names.push(name ?? "");
    assert.ok(names.includes(`models/${CLAUDE}`) && names.includes(`models/${GEMINI}`));
    assert.equal((await google.models.get({ model: GEMINI })).displayName, GEMINI);
  });

  it("refuses what stands there under two names, and a limit that is none", async () => {
    const rows = [
      [{ ...hello, generationConfig: {}, generation_config: {} }, "generation_config"],
      [{ ...hello, generationConfig: { maxOutputTokens: 5, max_output_tokens: 50_000 } }, "max_output_tokens"],
      [{ ...hello, generationConfig: { maxOutputTokens: "many" } }, "generationConfig.maxOutputTokens"],
      [{ ...hello, generationConfig: { candidateCount: 0 } }, "generationConfig.candidateCount"],
      ...["priority", "PRIORITY", "SERVICE_TIER_PRIORITY", 3, ["priority"]].map(
        (serviceTier) => [{ ...hello, serviceTier }, "serviceTier"] as const,
      ),
      [{}, "contents"],
    ] as const;
    for (const [body, field] of rows) {
      const answer = await ask(path, { "x-goog-api-key": key }, body);
      const text = await answer.text();
      assert.equal(answer.status, 400, text);
      assert.match(text, new RegExp(`"field":"${field}"`));
    }
  });

  it("says that a prompt was blocked, and charges what was read of it", async () => {
    const contents = "[[blocked]] one two three";
    const own = await google.models.generateContent({ model: GEMINI, contents });
    assert.equal(own.promptFeedback?.blockReason, "PROHIBITED_CONTENT");
    assert.ok((await gateway.lastLog()).quota > 0);
    const messages = [{ role: "user" as const, content: contents }];
    const translated = await gateway.sdk(key).chat.completions.create({ model: GEMINI, messages });
    assert.equal(translated.choices[0]?.finish_reason, "content_filter");
    const stream = await gateway.sdk(key).chat.completions.create({ model: GEMINI, messages, stream: true });
    let finish: string | null = null;
    for await (const chunk of stream) finish = chunk.choices[0]?.finish_reason ?? finish;
    assert.equal(finish, "content_filter");
  });

  it("makes embeddings with either side's models, for either side's callers", async () => {
    for (const model of [GEMINI_EMBEDDING, EMBEDDING]) {
      const one = await google.models.embedContent({ model, contents: "one", config: { outputDimensionality: 8 } });
      assert.equal(one.embeddings?.[0]?.values?.length, 8, model);
      const many = await google.models.embedContent({ model, contents: ["one", "two"] });
      assert.equal(many.embeddings?.length, 2, model);
      const single = await ask(
        `/v1beta/models/${model}:embedContent`,
        { "x-goog-api-key": key },
        { content: { parts: [{ text: "one" }] } },
      );
      assert.ok(listOf(recordOf(recordOf(await single.json()).embedding).values).length > 8, model);
      const { data } = await gateway.sdk(key).embeddings.create({ model, input: ["one", "two"], dimensions: 8 });
      assert.deepEqual(
        data.map(({ embedding }) => embedding.length),
        [8, 8],
        model,
      );
      assert.ok((await gateway.lastLog()).quota > 0, model);
    }
  });

  it("keeps a conversation with thoughts and their signatures whole through the other dialects", async () => {
    const openai = gateway.sdk(key);
    const tools = [
      {
        type: "function" as const,
        function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
      },
    ];
    const first = await openai.chat.completions.create({
      model: GEMINI,
      reasoning_effort: "low",
      tools,
      tool_choice: "required",
      messages: [{ role: "user", content: "Ulm" }],
    });
    const message = first.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    assert.ok(message !== undefined && call !== undefined);
    assert.equal(recordOf(message).reasoning_content, "They want an answer.");
    const result = { role: "tool" as const, tool_call_id: call.id, content: "Sun" };
    await openai.chat.completions.create({
      model: GEMINI,
      tools,
      messages: [{ role: "user", content: "Ulm" }, message, result],
    });
    const sent = z
      .object({ contents: z.array(z.object({ parts: z.array(z.record(z.string(), z.unknown())) })) })
      .parse(lastBody());
    const calls = sent.contents.flatMap(({ parts }) => parts).filter((part) => part.functionCall !== undefined);
    assert.equal(typeof calls[0]?.thoughtSignature, "string");
    assert.notEqual(calls[0]?.thoughtSignature, "skip_thought_signature_validator");
  });

  it("has pictures uploaded once and referenced where the switch says so, and deleted when they expire [OPER-28] [OPER-29] [OPER-30] [OPER-31]", async () => {
    const url = `data:image/png;base64,${PIXEL}`;
    const show = async () => {
      upstream.clearRequests();
      const content = [
        { type: "text" as const, text: "Look" },
        { type: "image_url" as const, image_url: { url } },
      ];
      const answer = await gateway
        .sdk(key)
        .chat.completions.create({ model: GEMINI, messages: [{ role: "user", content }] });
      assert.equal(answer.choices[0]?.message.content, "You said: Look");
      const last = upstream.requests.at(-1)?.bodyText ?? "";
      return { paths: upstream.requests.map((request) => request.path), isInline: last.includes(PIXEL), text: last };
    };
    await setOptions(gateway.testApp, { GeminiUploadImageEnabled: "true" });
    const uploaded = await show();
    assert.deepEqual(uploaded.paths, ["/upload/v1beta/files", "/upload/v1beta/files", path]);
    assert.match(uploaded.text, /"fileData":\{"mimeType":"image\/png","fileUri":"http:[^"]+\/v1beta\/files\/fake-/);
    assert.equal(uploaded.isInline, false);
    assert.deepEqual((await show()).paths, [path]);

    const { files } = gateway.testApp.deps.relay.upstream.through("").providerIo;
    files.sweep(Date.now() + 61 * 60_000);
    const deleted = await upstream.waitForRequest(({ method }) => method === "DELETE");
    assert.match(deleted.path, /^\/v1beta\/files\/fake-/);
    assert.equal((await show()).paths.length, 3);

    await setOptions(gateway.testApp, { GeminiUploadImageEnabled: "false" });
    const inline = await show();
    assert.deepEqual([inline.paths, inline.isInline], [[path], true]);
  });

  it("the stub provider is one that the official Google client talks to, files included", async () => {
    const direct = new GoogleGenAI({ apiKey: "sk-upstream", httpOptions: { baseUrl: upstream.at("gemini") } });
    const file = await direct.files.upload({ file: new Blob(["bytes"]), config: { mimeType: "image/png" } });
    assert.equal(file.state, "ACTIVE");
    await direct.files.delete({ name: file.name ?? "" });
    const thinkingConfig = { includeThoughts: true };
    const answer = await direct.models.generateContent({
      model: GEMINI,
      contents: "hello",
      config: { thinkingConfig },
    });
    const parts = answer.candidates?.[0]?.content?.parts ?? [];
    assert.deepEqual([parts[0]?.thought, answer.text], [true, "You said: hello"]);
    const forged = [{ role: "model", parts: [{ text: "Hi", thoughtSignature: "Zm9yZ2Vk" }] }];
    await assert.rejects(direct.models.generateContent({ model: GEMINI, contents: forged }), ApiError);
  });

  it("is called through the API that is like OpenAI's where the switch says so [OPER-25] [OPER-26] [OPER-27]", async () => {
    const paths = async (value: string) => {
      await setOptions(gateway.testApp, { GeminiNewEnabled: value });
      upstream.clearRequests();
      const answer = await google.models.generateContent({ model: GEMINI, contents: "hello" });
      assert.equal(answer.text, "You said: hello");
      return upstream.requests.map((request) => request.path);
    };
    assert.deepEqual(await paths("false"), ["/v1beta/openai/chat/completions"]);
    assert.deepEqual(await paths("true"), [path]);
  });
});
