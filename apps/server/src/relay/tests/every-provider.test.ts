import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { askChannelModels } from "@one-api/contract/channel-models";
import type { BehaviourChoice } from "@one-api/fake-upstream/upstream-settings";
import type { FakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { parseJson } from "@one-api/providers/shared/json-fields";
import { APIError, type OpenAI } from "openai";
import { type RelayTest, startRelayTest } from "../../testing/start-relay-test.ts";

/** A provider with a protocol of its own, or the one that all others are like. */
interface Tried {
  readonly name: string;
  readonly type: number;
  readonly model: string;
  /** It can be told to call a tool; else the stub does so by itself. */
  readonly obeysToolChoice: boolean;
  readonly embeds?: string;
}

const PROVIDERS: readonly Tried[] = [
  { name: "OpenAI", type: 1, model: "gpt-4o-mini", obeysToolChoice: true, embeds: "text-embedding-3-small" },
  { name: "Anthropic", type: 14, model: "claude-sonnet-4-5", obeysToolChoice: true },
  { name: "Gemini", type: 24, model: "gemini-3-flash-preview", obeysToolChoice: true, embeds: "gemini-embedding-001" },
  { name: "Cohere", type: 35, model: "command-a-03-2025", obeysToolChoice: true, embeds: "embed-v4.0" },
  { name: "Ollama", type: 30, model: "llama3.2", obeysToolChoice: false, embeds: "nomic-embed-text" },
];
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let gateway: RelayTest;
let upstream: FakeUpstream;
let openai: OpenAI;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  for (const { type, model, embeds = "" } of PROVIDERS) {
    await gateway.addChannel(upstream, { type, name: String(type), models: [model, embeds].filter(Boolean).join() });
  }
  openai = gateway.sdk(await gateway.addToken());
});
after(() => gateway.close());
beforeEach(() => {
  upstream.setBehaviour({ kind: "normal" });
  upstream.clearRequests();
});

async function lastLog() {
  await gateway.testApp.deps.relay.active.idle();
  const books = await gateway.books();
  assert.deepEqual([books.open, books.differences], [0, 0]);
  return books.logs.at(-1) ?? assert.fail("nothing was logged");
}

const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: "user", content });
const properties = { city: { type: "string" } };
const tool: OpenAI.ChatCompletionTool = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties, required: ["city"] } },
};

for (const { name, type, model, obeysToolChoice, embeds } of PROVIDERS) {
  describe(`${name} (type ${type})`, () => {
    const ask = (content: string, more: object = {}) =>
      openai.chat.completions.create({ model, max_tokens: 100, messages: [user(content)], ...more, stream: false });
    const stream = (content: string) =>
      openai.chat.completions.create({
        model,
        max_tokens: 100,
        messages: [user(content)],
        stream: true,
        stream_options: { include_usage: true },
      });
    const refused = (behaviour: BehaviourChoice) => {
      upstream.setBehaviour(behaviour);
      return ask("hello").then(
        () => assert.fail("it was answered"),
        (error: unknown) => (error instanceof APIError ? error : assert.fail(String(error))),
      );
    };

    it("answers, and is charged for what it reports", async () => {
      const answer = await ask("hello", { messages: [{ role: "system", content: "Be brief." }, user("hello")] });
      const [choice] = answer.choices;
      assert.deepEqual([choice?.message.content, choice?.finish_reason], ["You said: hello", "stop"]);
      assert.notEqual(answer.model, "");
      const log = await lastLog();
      assert.deepEqual(
        [log.result, log.prompt_tokens, log.completion_tokens],
        ["ok", answer.usage?.prompt_tokens, answer.usage?.completion_tokens],
      );
      assert.ok(log.quota > 0 && log.prompt_tokens > 0);
    });

    it("streams, with the reason and the usage at the end", async () => {
      const seen = { text: "", finish: "", completion: 0 };
      for await (const { choices, usage, model: answering } of await stream("streamed words")) {
        assert.notEqual(answering, "");
        seen.text += choices[0]?.delta.content ?? "";
        seen.finish = choices[0]?.finish_reason ?? seen.finish;
        seen.completion = usage?.completion_tokens ?? seen.completion;
      }
      assert.deepEqual([seen.text, seen.finish], ["You said: streamed words", "stop"]);
      assert.equal((await lastLog()).completion_tokens, seen.completion);
    });

    it("stops at the limit and says so", async () => {
      const answer = await ask("a long story", { max_tokens: 2 });
      assert.equal(answer.choices[0]?.finish_reason, "length");
    });

    it("calls tools and reads what they answer, streamed or not", async () => {
      const choice = obeysToolChoice ? { tool_choice: "required" as const } : {};
      upstream.setBehaviour({ kind: "normal", callTool: !obeysToolChoice });
      const first = await ask("Ulm", { tools: [tool], ...choice });
      const asked = first.choices[0]?.message;
      const call = asked?.tool_calls?.[0];
      assert.ok(asked !== undefined && call?.type === "function");
      assert.deepEqual([call.function.name, parseJson(call.function.arguments)], ["weather", { city: "Ulm" }]);
      assert.equal(first.choices[0]?.finish_reason, "tool_calls");
      let input = "";
      for await (const { choices } of await openai.chat.completions.create({
        model,
        messages: [user("Ulm")],
        tools: [tool],
        ...choice,
        stream: true,
      })) {
        input += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? "";
      }
      assert.deepEqual(parseJson(input), { city: "Ulm" });
      upstream.setBehaviour({ kind: "normal" });
      const messages = [user("Ulm"), asked, { role: "tool" as const, tool_call_id: call.id, content: "Sunny" }];
      const second = await openai.chat.completions.create({ model, messages, tools: [tool] });
      assert.match(second.choices[0]?.message.content ?? "", /^You said: (?:Sunny|Ulm)$/);
      assert.match(upstream.requests.at(-1)?.bodyText ?? "", /Sunny/);
    });

    it("sees pictures", async () => {
      const content = [
        { type: "text" as const, text: "Look" },
        { type: "image_url" as const, image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ];
      const answer = await openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
      assert.equal(answer.choices[0]?.message.content, "You said: Look");
      assert.match(upstream.requests.at(-1)?.bodyText ?? "", new RegExp(PIXEL.slice(0, 40)));
    });

    it("says in the caller's words what the provider refuses", async () => {
      const bad = await refused({ kind: "refuse", status: 400, message: "temperature is out of range" });
      assert.deepEqual([bad.status, bad.message.includes("temperature is out of range")], [400, true]);
      const broken = await refused({ kind: "refuse", status: 500 });
      assert.ok(broken.status === 500 || broken.status === 502, String(broken.status));
    });

    it("is left when the caller leaves, who pays for what came", async () => {
      upstream.setBehaviour({ kind: "endless", chunkDelayMs: 5 });
      const answer = await stream("go on");
      for await (const { choices } of answer) if ((choices[0]?.delta.content ?? "") !== "") break;
      answer.controller.abort();
      await upstream.waitForAbort();
      const log = await lastLog();
      assert.equal(log.result, "caller-gone");
      assert.ok(log.quota > 0 && log.completion_tokens > 0);
    });

    it("that cuts a stream ends it with an error, and what came is charged", async () => {
      upstream.setBehaviour({ kind: "cut", afterChunks: 2 });
      let text = "";
      await assert.rejects(async () => {
        for await (const { choices } of await stream("four words are here")) text += choices[0]?.delta.content ?? "";
      });
      assert.notEqual(text, "");
      const log = await lastLog();
      assert.deepEqual([log.result, log.completion_tokens > 0], ["cut", true]);
    });

    it("that reports no usage is counted here", async () => {
      upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
      await ask("count these words");
      const log = await lastLog();
      assert.ok(log.prompt_tokens > 0 && log.completion_tokens > 0 && log.quota > 0);
      assert.match(log.detail, /estimated/);
    });

    it("lists its models", async () => {
      const connection = { type, key: "sk-upstream", base_url: upstream.url };
      const { models } = await gateway.root.data(askChannelModels, { body: connection });
      assert.ok(models.length > 0);
    });

    if (embeds !== undefined) {
      it("makes embeddings of one text and of several", async () => {
        const one = await openai.embeddings.create({ model: embeds, input: "hello" });
        const two = await openai.embeddings.create({ model: embeds, input: ["hello", "world"] });
        assert.deepEqual([one.data.length, two.data.length], [1, 2]);
        assert.ok((one.data[0]?.embedding.length ?? 0) > 100);
        assert.deepEqual(two.data[0]?.embedding, one.data[0]?.embedding);
        assert.notDeepEqual(two.data[1]?.embedding, one.data[0]?.embedding);
        assert.equal((await lastLog()).result, "ok");
      });
    }
  });
}
