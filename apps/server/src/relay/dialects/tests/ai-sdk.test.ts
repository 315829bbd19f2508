import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { APICallError, embed, generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const MODELS = [TEST_MODEL, "claude-sonnet-4-5", "gemini-3-flash-preview"];
const EMBEDDING = "text-embedding-3-small";

let gateway: RelayTest;
let upstream: StubServer;
let openai: ReturnType<typeof createOpenAI>;
/** The SDK's ways of asking, by the API behind each. */
let ways: Readonly<Record<string, (model: string) => LanguageModel>>;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  const [plain, claude, gemini] = MODELS;
  await gateway.addChannel(upstream, { models: `${plain},${EMBEDDING}` });
  await gateway.addChannel(upstream, { type: 14, models: String(claude) });
  await gateway.addChannel(upstream, { type: 24, models: String(gemini) });
  const apiKey = await gateway.addToken();
  openai = createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` });
  const anthropic = createAnthropic({ apiKey, baseURL: `${gateway.url}/v1` });
  const google = createGoogleGenerativeAI({ apiKey, baseURL: `${gateway.url}/v1beta` });
  ways = { Responses: openai, "chat completions": (name) => openai.chat(name), Anthropic: anthropic, Gemini: google };
});
after(() => gateway.close());
beforeEach(() => upstream.setBehaviour({ kind: "normal" }));

for (const way of ["Responses", "chat completions", "Anthropic", "Gemini"]) {
  for (const name of MODELS) {
    describe(`Vercel's AI SDK by ${way} with ${name}`, () => {
      const model = () => ways[way]?.(name) ?? assert.fail(way);

      it("reads an answer with its usage", async () => {
        const { text, usage, finishReason } = await generateText({ model: model(), prompt: "hello", maxRetries: 0 });
        assert.deepEqual([text, finishReason], ["You said: hello", "stop"]);
        const log = await gateway.lastLog();
        assert.deepEqual(
          [log.result, log.prompt_tokens, log.completion_tokens],
          ["ok", usage.inputTokens, usage.outputTokens],
        );
      });

      it("reads a stream", async () => {
        const stream = streamText({ model: model(), prompt: "streamed words", maxRetries: 0 });
        let text = "";
        for await (const piece of stream.textStream) text += piece;
        assert.deepEqual([text, await stream.finishReason], ["You said: streamed words", "stop"]);
        assert.equal((await gateway.lastLog()).completion_tokens, (await stream.usage).outputTokens);
      });

      it("runs a tool and goes on with what it answers", async () => {
        const asked: string[] = [];
        const weather = tool({
          description: "The weather of a city",
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            asked.push(city);
            upstream.setBehaviour({ kind: "normal" });
            return "Sunny";
          },
        });
        upstream.setBehaviour({ kind: "normal", callTool: true });
        const { text, steps } = await generateText({
          model: model(),
          prompt: "Ulm",
          tools: { weather },
          stopWhen: stepCountIs(2),
          maxRetries: 0,
          // The SDK refers to items by id unless it is told that nobody keeps them.
          providerOptions: { openai: { store: false } },
        });
        assert.deepEqual([asked, steps.length], [["Ulm"], 2]);
        assert.match(text, /^You said: .*(?:Sunny|Ulm)/);
        assert.match(upstream.requests.at(-1)?.bodyText ?? "", /Sunny/);
      });

      it("has the form of an answer passed on", async () => {
        upstream.setBehaviour({ kind: "normal", text: '{"city":"Ulm"}' });
        const output = Output.object({ schema: z.object({ city: z.string() }) });
        const answer = await generateText({ model: model(), prompt: "Ulm", output, maxRetries: 0 });
        assert.deepEqual(answer.output, { city: "Ulm" });
      });

      it("throws its own class for a refusal", async () => {
        upstream.setBehaviour({ kind: "refuse", status: 400, message: "temperature is out of range" });
        await assert.rejects(
          generateText({ model: model(), prompt: "hello", maxRetries: 0 }),
          (error) =>
            APICallError.isInstance(error) && error.statusCode === 400 && /temperature is out/.test(error.message),
        );
      });
    });
  }
}

it("Vercel's AI SDK makes embeddings", async () => {
  const { embedding, usage } = await embed({ model: openai.embedding(EMBEDDING), value: "hello" });
  assert.deepEqual([embedding.length > 100, usage.tokens > 0], [true, true]);
});
