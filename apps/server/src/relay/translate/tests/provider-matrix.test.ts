import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import path from "node:path";
import { askChannelModels } from "@one-api/contract/channels/channel-models";
import { STUB_AWS_KEY } from "@one-api/providers/vendors/aws/stub/check-signature";
import { stubServiceAccount } from "@one-api/providers/vendors/vertex/stub/google-token";
import type { BehaviourChoice } from "@one-api/stub-server/stub-server-options";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { providerOf } from "@one-api/providers/registry";
import { parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { APIError, type OpenAI, toFile } from "openai";
import { openLive, openSession } from "../../../testing/open-session.ts";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { type Caller, otherCallers, PIXEL, WEATHER } from "../../../testing/provider-trials/callers.ts";
import { DIALECTS, Proofs } from "../../../testing/provider-trials/proofs.ts";
import { writeProvidersPage } from "../../../testing/provider-trials/providers-page.ts";
import { providersLikeOpenAi, type Tried } from "../../../testing/provider-trials/tried-provider.ts";

/** Those with a protocol of their own, and the one that all others are like. */
const OWN: readonly Tried[] = [
  {
    name: "OpenAI",
    type: 1,
    model: "gpt-4o-mini",
    obeysToolChoice: true,
    embeds: "text-embedding-3-small",
    paints: "dall-e-3",
    speaks: "gpt-realtime",
    answersLater: "gpt-4o-mini",
  },
  { name: "Anthropic", type: 14, model: "claude-sonnet-4-5", obeysToolChoice: true },
  {
    name: "Gemini",
    type: 24,
    model: "gemini-3-flash-preview",
    obeysToolChoice: true,
    embeds: "gemini-embedding-001",
    paints: "gemini-2.5-flash-image",
    lives: "gemini-3.1-flash-live-preview",
  },
  {
    name: "Vertex AI",
    type: 42,
    model: "gemini-3.5-flash",
    obeysToolChoice: true,
    embeds: "text-embedding-005",
    paints: "imagen-4.0-generate-001",
    lives: "gemini-live-2.5-flash",
    key: (url) => `global|project|${stubServiceAccount(url)}`,
  },
  {
    name: "Bedrock",
    type: 33,
    model: "claude-opus-4-5",
    obeysToolChoice: true,
    embeds: "cohere.embed-v4:0",
    paints: "stability.stable-image-core-v1:1",
    key: `${STUB_AWS_KEY.id}|${STUB_AWS_KEY.secret}|us-east-1`,
  },
  { name: "Cohere", type: 35, model: "command-a-03-2025", obeysToolChoice: true, embeds: "embed-v4.0" },
  {
    name: "Baidu's older API",
    type: 15,
    model: "ERNIE-4.0-8K",
    obeysToolChoice: true,
    embeds: "bge-large-zh",
    key: "api|secret",
    lacks: ["pictures", "list"],
  },
  {
    name: "Tencent's cloud API",
    type: 23,
    model: "hunyuan-turbos-latest",
    obeysToolChoice: true,
    embeds: "hunyuan-text-embedding",
    key: "app|id|key-of-id",
    lacks: ["limit", "list"],
  },
  {
    name: "Spark",
    type: 18,
    model: "Spark-Max",
    obeysToolChoice: true,
    lacks: ["limit", "pictures"],
    reportsUsageUnasked: true,
  },
  { name: "Ollama", type: 30, model: "llama3.2", obeysToolChoice: false, embeds: "nomic-embed-text" },
  { name: "PaLM", type: 11, model: "PaLM-2", obeysToolChoice: true },
  {
    name: "AI Proxy's knowledge base",
    type: 21,
    model: "gpt-4o",
    obeysToolChoice: false,
    lacks: ["limit", "tools", "pictures"],
  },
  {
    name: "Replicate",
    type: 46,
    model: "openai/gpt-5-mini",
    obeysToolChoice: false,
    paints: "black-forest-labs/flux-schnell",
    lacks: ["limit", "tools"],
  },
  {
    name: "Coze",
    type: 34,
    model: "bot-7342000000000000000",
    obeysToolChoice: false,
    lacks: ["limit", "tools", "pictures"],
  },
  {
    name: "DeepL",
    type: 38,
    model: "deepl-zh",
    obeysToolChoice: false,
    lacks: ["limit", "tools", "pictures", "pieces", "billing"],
  },
];
const PROVIDERS = [...OWN, ...providersLikeOpenAi(OWN)];
const OTHER_DIALECTS = DIALECTS.filter((dialect) => dialect !== "chat");
const PAGE = path.resolve(import.meta.dirname, "../../../../../../docs/providers.md");

/** What channels of some kinds are told beside the key. */
const ACCOUNT = JSON.stringify({ user_id: "account", library_id: "library-1" });

const proofs = new Proofs();
const keyAt = (url: string, key: Tried["key"] = "sk-upstream") => (typeof key === "string" ? key : key(url));

let gateway: RelayTest;
let upstream: StubServer;
let callersKey: string;
let openai: OpenAI;
let callers: readonly Caller[];

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  for (const {
    type,
    name,
    model,
    embeds = "",
    paints = "",
    speaks = "",
    lives = "",
    answersLater = "",
    key: own,
    other = "",
  } of PROVIDERS) {
    const models = [...new Set([model, embeds, paints, speaks, lives, answersLater])].filter(Boolean).join();
    await gateway.addChannel(upstream, {
      type,
      name,
      models,
      key: keyAt(upstream.at(type), own),
      config: ACCOUNT,
      other,
    });
  }
  callersKey = await gateway.addToken();
  openai = gateway.sdk(callersKey);
  callers = otherCallers(gateway, callersKey);
});
after(async () => {
  try {
    await gateway.testApp.deps.relay.inFlight.idle();
    const { open, differences } = await gateway.books();
    assert.deepEqual([open, differences], [0, 0]);
  } finally {
    await gateway.close();
  }
});
beforeEach(() => {
  upstream.setBehaviour({ kind: "normal" });
  upstream.clearRequests();
});

const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: "user", content });
const tool: OpenAI.ChatCompletionTool = { type: "function", function: { name: "weather", parameters: WEATHER } };

for (const provider of PROVIDERS) {
  const { name, type, model, obeysToolChoice, embeds, paints, speaks, lives, answersLater, lacks = [], key } = provider;
  const { reportsUsageUnasked } = provider;
  describe(`${name} (type ${type})`, () => {
    const shows = proofs.testsOf(provider);
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

    shows("chat.text", "answers, and tells what is charged", async () => {
      const answer = await ask("hello", { messages: [{ role: "system", content: "Be brief." }, user("hello")] });
      const [choice] = answer.choices;
      assert.deepEqual([choice?.message.content, choice?.finish_reason], ["You said: hello", "stop"]);
      assert.notEqual(answer.model, "");
      const log = await gateway.lastLog();
      const { prompt_tokens: prompt, completion_tokens: completion } = answer.usage ?? {};
      assert.deepEqual([log.result, prompt, completion], ["ok", log.prompt_tokens, log.completion_tokens]);
      assert.ok(log.quota > 0 && log.prompt_tokens > 0);
    });

    shows("chat.stream", "streams, with the reason and the usage at the end", async () => {
      upstream.setBehaviour({ kind: "normal", usageUnasked: reportsUsageUnasked ?? false });
      const seen = { text: "", finish: "", completion: 0 };
      for await (const { choices, usage, model: answering } of await stream("streamed words")) {
        assert.notEqual(answering, "");
        seen.text += choices[0]?.delta.content ?? "";
        seen.finish = choices[0]?.finish_reason ?? seen.finish;
        seen.completion = usage?.completion_tokens ?? seen.completion;
      }
      assert.deepEqual([seen.text, seen.finish], ["You said: streamed words", "stop"]);
      assert.equal(seen.completion, (await gateway.lastLog()).completion_tokens);
    });

    shows("completions", "completes a prompt, streamed too, and is charged for it", async () => {
      const asked = { model, max_tokens: 100, prompt: "hello" };
      const { object, choices } = await openai.completions.create(asked);
      assert.deepEqual([object, choices[0]?.text], ["text_completion", "You said: hello"]);
      const seen = { text: "", finish: "" };
      for await (const { choices: pieces } of await openai.completions.create({ ...asked, stream: true })) {
        seen.text += pieces[0]?.text ?? "";
        seen.finish = pieces[0]?.finish_reason ?? seen.finish;
      }
      assert.deepEqual(seen, { text: "You said: hello", finish: "stop" });
      const { result, quota } = await gateway.lastLog();
      assert.deepEqual([result, quota > 0], ["ok", true]);
    });

    shows("limit", "stops at the limit and says so", async () => {
      const answer = await ask("a long story", { max_tokens: 2 });
      assert.equal(answer.choices[0]?.finish_reason, "length");
    });

    shows("chat.tools", "calls tools and reads what they answer, streamed or not", async () => {
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

    shows("chat.images", "sees pictures", async () => {
      const content = [
        { type: "text" as const, text: "Look" },
        { type: "image_url" as const, image_url: { url: `data:image/png;base64,${PIXEL}` } },
      ];
      const answer = await openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
      assert.equal(answer.choices[0]?.message.content, "You said: Look");
      assert.ok(upstream.requests.some(({ bodyText }) => bodyText.includes(PIXEL)));
    });

    shows("errors", "says in the caller's words what the provider refuses", async () => {
      const bad = await refused({ kind: "refuse", status: 400, message: "temperature is out of range" });
      assert.deepEqual([bad.status, bad.message.includes("temperature is out of range")], [400, true]);
      const broken = await refused({ kind: "refuse", status: 500 });
      assert.ok(broken.status === 500 || broken.status === 502, String(broken.status));
    });

    shows("abort", "is left when the caller leaves, who pays for what came", async () => {
      upstream.setBehaviour({ kind: "endless", chunkDelayMs: 5 });
      const answer = await stream("go on");
      for await (const { choices } of answer) if ((choices[0]?.delta.content ?? "") !== "") break;
      answer.controller.abort();
      await upstream.waitForAbort();
      const log = await gateway.lastLog();
      assert.equal(log.result, "caller-gone");
      assert.ok(log.quota > 0 && log.completion_tokens > 0);
    });

    shows("cut", "that cuts a stream ends it with an error, and what came is charged", async () => {
      upstream.setBehaviour({ kind: "cut", afterChunks: 2 });
      let text = "";
      await assert.rejects(async () => {
        for await (const { choices } of await stream("four words are here")) text += choices[0]?.delta.content ?? "";
      });
      assert.notEqual(text, "");
      const log = await gateway.lastLog();
      assert.deepEqual([log.result, log.completion_tokens > 0], ["cut", true]);
    });

    shows("byte-by-byte", "is understood wherever the bytes of its stream are cut", async () => {
      const usageUnasked = reportsUsageUnasked ?? false;
      const read = async (behaviour: BehaviourChoice) => {
        upstream.setBehaviour(behaviour);
        let text = "";
        for await (const { choices } of await stream("Grüße an 世界")) text += choices[0]?.delta.content ?? "";
        const { completion_tokens, quota, result } = await gateway.lastLog();
        return { text, completion_tokens, quota, result };
      };
      const whole = await read({ kind: "normal", usageUnasked });
      assert.deepEqual([whole.text, whole.result], ["You said: Grüße an 世界", "ok"]);
      assert.deepEqual(await read({ kind: "malformed", fault: "byte-by-byte", usageUnasked }), whole);
    });

    shows("no-usage", "that reports no usage is counted here", async () => {
      upstream.setBehaviour({ kind: "malformed", fault: "no-usage" });
      await ask("count these words");
      const log = await gateway.lastLog();
      assert.ok(log.prompt_tokens > 0 && log.quota > 0);
      assert.equal(log.completion_tokens > 0, !lacks.includes("billing"));
      assert.match(log.detail, /estimated/);
    });

    if (providerOf(type)?.listModels !== undefined) {
      shows("models", "lists its models", async () => {
        const connection = { type, key: keyAt(upstream.at(type), key), base_url: upstream.at(type), config: ACCOUNT };
        const { models } = await gateway.root.data(askChannelModels, { body: connection });
        assert.ok(models.length > 0);
      });
    }

    if (embeds !== undefined) {
      shows("embeddings", "makes embeddings of one text and of several", async () => {
        const one = await openai.embeddings.create({ model: embeds, input: "hello" });
        const two = await openai.embeddings.create({ model: embeds, input: ["hello", "world"] });
        assert.deepEqual([one.data.length, two.data.length], [1, 2]);
        assert.ok((one.data[0]?.embedding.length ?? 0) > 100);
        assert.deepEqual(two.data[0]?.embedding, one.data[0]?.embedding);
        assert.notDeepEqual(two.data[1]?.embedding, one.data[0]?.embedding);
        assert.equal((await gateway.lastLog()).result, "ok");
      });
    }

    if (paints !== undefined) {
      shows("painting", "makes pictures, and is paid for them", async () => {
        const { data: [picture] = [] } = await openai.images.generate({ model: paints, prompt: "a house" });
        assert.ok((picture?.url ?? picture?.b64_json ?? "") !== "");
        const { result, quota } = await gateway.lastLog();
        assert.deepEqual([result, quota > 0], ["ok", true]);
      });
    }

    if (speaks !== undefined) {
      shows("sessions", "holds a realtime session, each answer of which is paid for", async () => {
        const session = await openSession(gateway.url, callersKey, { model: speaks });
        const done = await session.ask("hello");
        session.socket.close();
        await session.closed();
        assert.match(JSON.stringify(done), /"text":"You said: hello"/);
        const { result, quota, model_name } = await gateway.lastLog();
        assert.deepEqual([result, quota > 0, model_name], ["ok", true, speaks]);
      });
    }

    if (lives !== undefined) {
      shows("sessions", "holds a session of Google's Live API, each answer of which is paid for", async () => {
        const session = await openLive(gateway.url, callersKey, { model: lives });
        const done = await session.ask("hello");
        session.socket.close();
        await session.closed();
        assert.match(JSON.stringify(session.events), /"text":"hello"/);
        assert.notEqual(done["usageMetadata"], undefined);
        const { result, quota, model_name } = await gateway.lastLog();
        assert.deepEqual([result, quota > 0, model_name], ["ok", true, lives]);
      });
    }

    if (answersLater !== undefined) {
      shows("batches", "answers a batch, which is paid for at the price of batches", async () => {
        const body = { model: answersLater, max_tokens: 100, messages: [user("hello")] };
        const line = JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/chat/completions", body });
        const file = await openai.files.create({ file: await toFile(Buffer.from(line), "in.jsonl"), purpose: "batch" });
        const asked = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
        const { id } = await openai.batches.create({ ...asked, input_file_id: file.id });
        await openai.batches.retrieve(id);
        const { status, output_file_id } = await openai.batches.retrieve(id);
        assert.equal(status, "completed");
        const log = await gateway.lastLog();
        assert.deepEqual([log.result, log.model_name, log.quota > 0], ["ok", answersLater, true]);
        const factor = providerOf(type)?.batches?.priceFactor(answersLater);
        const { batch } = recordOf(parseJson(log.detail));
        assert.deepEqual(batch, { lines: 1, failed: 0, factor });
        const channel = await gateway.testApp.database.db
          .selectFrom("channels")
          .select("type")
          .where("id", "=", log.channel_id)
          .executeTakeFirstOrThrow();
        assert.equal(channel.type, type);
        assert.match(await (await openai.files.content(output_file_id ?? "")).text(), /You said: hello/);
      });
    }

    for (const [index, dialect] of OTHER_DIALECTS.entries()) {
      const caller = () => callers[index] ?? assert.fail(dialect);

      shows(`${dialect}.text`, `answers callers of ${dialect}`, async () => {
        assert.equal(await caller().ask(model, "hello"), "You said: hello");
      });

      shows(`${dialect}.stream`, `streams to callers of ${dialect}`, async () => {
        assert.equal(await caller().stream(model, "streamed words"), "You said: streamed words");
      });

      shows(`${dialect}.tools`, `calls tools of callers of ${dialect}`, async () => {
        upstream.setBehaviour({ kind: "normal", callTool: !obeysToolChoice });
        const between = () => upstream.setBehaviour({ kind: "normal" });
        const used = await caller().useTool(model, {
          text: "Ulm",
          result: "Sunny",
          isForced: obeysToolChoice,
          between,
        });
        assert.deepEqual(used.input, { city: "Ulm" });
        assert.match(used.said, /^You said: (?:Sunny|Ulm)$/);
        assert.match(upstream.requests.at(-1)?.bodyText ?? "", /Sunny/);
      });

      shows(`${dialect}.images`, `sees pictures of callers of ${dialect}`, async () => {
        assert.equal(await caller().look(model, "Look"), "You said: Look");
        assert.ok(upstream.requests.some(({ bodyText }) => bodyText.includes(PIXEL)));
      });
    }
  });
}

it("[npm run providers-page] docs/providers.md says what these tests have shown, and nothing else", (t) => {
  if (!proofs.areWhole) return t.skip("not all of them have run and passed");
  t.assert.fileSnapshot(writeProvidersPage(proofs), PAGE, { serializers: [String] });
});
