import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const TEXT = "a text that is long enough to be charged for by its own tokens";
const MESSAGES = "/v1/messages";
const RESPONSES = "/v1/responses";
const messages = [{ role: "user", content: "hi" }];

/** What the provider answers: a document, or the events of a stream. */
type Answer = object | readonly object[];

const chunk = (delta: object, more: object = {}) => ({
  id: "x",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
});
const ended = {
  id: "x",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
};
const chat = (usage: object, more: object = {}) => ({
  id: "x",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
  usage,
  ...more,
});
const openAi = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const gemini = (prompt: number, completion: number) => ({
  candidates: [{ content: { role: "model", parts: [{ text: TEXT }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: prompt, candidatesTokenCount: completion, totalTokenCount: prompt + completion },
});
const claude = (prompt: number, completion: number) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: TEXT }],
  stop_reason: "end_turn",
  usage: { input_tokens: prompt, output_tokens: completion },
});
const claudeStream = (prompt: number, completion: number) => [
  { type: "message_start", message: { ...claude(prompt, 0), content: [] } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: TEXT } },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: completion } },
  { type: "message_stop" },
];
const response = (prompt: number, completion: number) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  model: "m",
  output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: TEXT }] }],
  usage: { input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion },
});
const responseStream = (prompt: number, completion: number) => [
  { type: "response.created", response: { ...response(0, 0), usage: null } },
  { type: "response.output_text.delta", output_index: 0, delta: TEXT },
  { type: "response.completed", response: response(prompt, completion) },
];
const cohere = (prompt: number, completion: number) => ({
  id: "x",
  finish_reason: "COMPLETE",
  message: { role: "assistant", content: [{ type: "text", text: TEXT }] },
  usage: { tokens: { input_tokens: prompt, output_tokens: completion } },
});
const ollama = (prompt: number, completion: number) => ({
  model: "m",
  message: { role: "assistant", content: TEXT },
  done: true,
  done_reason: "stop",
  prompt_eval_count: prompt,
  eval_count: completion,
});

interface Way {
  readonly type: number;
  readonly path: string;
  readonly stream?: true;
  readonly answer: (prompt: number, completion: number) => Answer;
}

const WAYS: Readonly<Record<string, Way>> = {
  "chat passed": { type: 1, path: CHAT, answer: (...counts) => chat(openAi(...counts)) },
  "chat streamed": {
    type: 1,
    path: CHAT,
    stream: true,
    answer: (...counts) => [chunk({ content: TEXT }), ended, { ...ended, choices: [], usage: openAi(...counts) }],
  },
  "chat written anew": { type: 28, path: CHAT, answer: (...counts) => chat(openAi(...counts)) },
  "chat streamed anew": {
    type: 28,
    path: CHAT,
    stream: true,
    answer: (...counts) => [chunk({ content: TEXT }), { ...ended, usage: openAi(...counts) }],
  },
  Gemini: { type: 24, path: CHAT, answer: gemini },
  "Gemini streamed": { type: 24, path: CHAT, stream: true, answer: (...counts) => [gemini(...counts)] },
  "Messages passed": { type: 14, path: MESSAGES, answer: claude },
  "Messages streamed": { type: 14, path: MESSAGES, stream: true, answer: claudeStream },
  "Messages to chat": { type: 14, path: CHAT, answer: claude },
  "Messages to streamed chat": { type: 14, path: CHAT, stream: true, answer: claudeStream },
  Responses: { type: 1, path: RESPONSES, answer: response },
  "Responses streamed": { type: 1, path: RESPONSES, stream: true, answer: responseStream },
  Cohere: { type: 35, path: CHAT, answer: cohere },
  Ollama: { type: 30, path: CHAT, answer: ollama },
};

describe("what was delivered and is reported as nothing, in part or in other words", () => {
  let test: RelayTest;
  let key: string;
  let provider: RawUpstream;
  let answer: Answer = {};
  const channels = new Set<number>();
  before(async () => {
    test = await startRelayTest();
    const ratios = { m1: 1, m14: 1, m24: 1, m28: 1, m30: 1, m35: 1 };
    await setOptions(test.testApp, { GeminiNewEnabled: "true", ModelRatio: JSON.stringify(ratios) });
    key = await test.addToken();
    provider = await startRawUpstream((reply) => {
      const events = Array.isArray(answer) ? answer.map((event) => `data: ${JSON.stringify(event)}\n\n`) : undefined;
      reply.writeHead(200, { "content-type": events === undefined ? "application/json" : "text/event-stream" });
      reply.end(events?.join("") ?? JSON.stringify(answer));
    });
  });
  after(async () => {
    await provider.close();
    await test.close();
  });

  /** Calls a channel of the type, and returns what is logged. */
  async function spend({ type, path, stream }: Omit<Way, "answer">, told: Answer, more: object = {}) {
    const model = `m${type}`;
    answer = told;
    if (!channels.has(type)) await test.addChannel(provider, { type, models: model });
    channels.add(type);
    const body = {
      model,
      stream: stream === true,
      max_tokens: 500,
      ...(path === RESPONSES ? { input: "hi" } : { messages }),
      ...more,
    };
    const { max_tokens: _limit, ...ofResponses } = body;
    const headers = path === MESSAGES ? { "anthropic-version": "2023-06-01" } : {};
    const reply = await test.post(path, key, path === RESPONSES ? ofResponses : body, headers);
    const text = await reply.text();
    assert.equal(reply.status, 200, text);
    return { log: await test.lastLog(), text };
  }

  for (const [name, way] of Object.entries(WAYS)) {
    it(`${name}: is completed by what is counted here, each half by itself`, async () => {
      const { log: whole } = await spend(way, way.answer(70, 90));
      assert.deepEqual([whole.prompt_tokens, whole.completion_tokens], [70, 90]);
      for (const [prompt, completion] of [
        [0, 0],
        [70, 0],
        [0, 90],
      ] as const) {
        const { log } = await spend(way, way.answer(prompt, completion));
        assert.ok(prompt > 0 ? log.prompt_tokens === 70 : log.prompt_tokens > 0 && log.prompt_tokens < 70);
        const isCounted = log.completion_tokens > 10 && log.completion_tokens < 20;
        assert.ok(completion > 0 ? log.completion_tokens === 90 : isCounted, `${log.completion_tokens}`);
      }
    });
  }

  it("is told to the caller as it is charged, where the answer is written anew", async () => {
    for (const way of [WAYS["Messages to chat"], WAYS["Messages to streamed chat"]]) {
      assert.ok(way !== undefined);
      const options = way.stream === true ? { stream_options: { include_usage: true } } : {};
      const { log, text } = await spend(way, way.answer(0, 0), options);
      assert.ok(
        text.includes(`"prompt_tokens":${log.prompt_tokens},"completion_tokens":${log.completion_tokens}`),
        text,
      );
    }
  });

  it("is an embedding's, too", async () => {
    const told = { object: "list", data: [{ object: "embedding", index: 0, embedding: [1] }], usage: openAi(0, 0) };
    const { log } = await spend({ type: 1, path: "/v1/embeddings" }, told, { input: "hello", messages: undefined });
    assert.ok(log.prompt_tokens > 0);
  });

  it("costs the tier that was asked for where no answer names one, and the named one where it does", async () => {
    const chatWay = { type: 1, path: CHAT };
    const usage = openAi(1_000, 1_000);
    const charge = async (more: object, told: object) => (await spend(chatWay, chat(usage, told), more)).log.quota;
    const plain = await charge({}, {});
    assert.equal(await charge({ service_tier: "ultrafast" }, {}), plain * 6);
    assert.equal(await charge({ service_tier: "some-new-tier" }, {}), plain * 6);
    assert.equal(await charge({ service_tier: "ultrafast" }, { service_tier: "default" }), plain);
    assert.equal(await charge({ service_tier: "flex" }, {}), plain);
    // Gemini's format has no place for it, so that nobody is asked for it.
    const dropped = await spend({ type: 24, path: CHAT }, gemini(1_000, 1_000), { service_tier: "ultrafast" });
    const asked = await spend({ type: 24, path: CHAT }, gemini(1_000, 1_000));
    assert.equal(dropped.log.quota, asked.log.quota);
  });

  describe("with own prices of tiers", () => {
    const usage = openAi(1_000, 1_000);
    const price = { input: 2, output: 2, tiers: { flex: 0.25, priority: 3 } };
    const PLAIN = 2_000;
    before(() => setOptions(test.testApp, { ModelPrices: JSON.stringify({ m1: price, m24: price }) }));
    after(() => setOptions(test.testApp, { ModelPrices: "" }));

    const charge = async (asked: object, told: object) =>
      (await spend({ type: 1, path: CHAT }, chat(usage, told), asked)).log.quota;

    for (const [tier, factor] of [
      ["default", 1],
      ["flex", 0.25],
      ["priority", 3],
      ["fast", 3],
      ["ultrafast", 6],
      ["some-new-tier", 6],
    ] as const) {
      it(`charges ${tier} at ${factor} times the price where the answer names it, also in a stream`, async () => {
        assert.equal(await charge({}, { service_tier: tier }), PLAIN * factor);
        const events = [chunk({ content: TEXT }, { service_tier: tier }), ended, { ...ended, choices: [], usage }];
        const { log } = await spend({ type: 1, path: CHAT, stream: true }, events);
        assert.equal(log.quota, PLAIN * factor);
      });
    }

    it("charges the requested tier where no answer names one, but never less than the usual price", async () => {
      assert.equal(await charge({ service_tier: "priority" }, {}), PLAIN * 3);
      assert.equal(await charge({ service_tier: "flex" }, {}), PLAIN);
      assert.equal(await charge({ service_tier: "priority" }, { service_tier: "default" }), PLAIN);
    });

    it("reads Gemini's names of tiers", async () => {
      const told = gemini(1_000, 1_000);
      const flexible = { ...told, usageMetadata: { ...told.usageMetadata, trafficType: "ON_DEMAND_FLEX" } };
      assert.equal((await spend({ type: 24, path: CHAT }, flexible)).log.quota, PLAIN * 0.25);
    });
  });

  it("costs a search that was asked for and that no answer tells", async () => {
    const chatWay = { type: 1, path: CHAT };
    const plain = (await spend(chatWay, chat(openAi(10, 10)))).log.quota;
    const asked = (await spend(chatWay, chat(openAi(10, 10)), { enable_search: true })).log.quota;
    assert.equal(asked - plain, 5_000);
  });

  it("costs at least what the provider says that it costs, and that is what it costs the operator", async () => {
    const told = chat({ ...openAi(10, 10), cost: 0.0401 });
    const { log } = await spend({ type: 1, path: CHAT }, told);
    const { db } = test.testApp.database;
    const rows = db.selectFrom("logs").select("cost").where("model_name", "=", log.model_name);
    const { cost } = await rows.orderBy("id", "desc").executeTakeFirstOrThrow();
    assert.deepEqual([log.quota, cost], [20_050, 20_050]);
  });

  it("charges every picture that was delivered, by whatever name it was asked for", async () => {
    const data = Array.from({ length: 4 }, () => ({ b64_json: "AAAA" }));
    const way = { type: 1, path: "/v1/images/generations" };
    const one = await spend(way, { data: data.slice(0, 1) }, { prompt: "a cat", messages: undefined });
    const four = await spend(way, { data }, { prompt: "a cat", messages: undefined, num_images: 4 });
    assert.equal(four.log.quota, one.log.quota * 4);
  });

  it("streams calls of tools whose input is a text, passed and written anew", async () => {
    const call = { index: 0, id: "call_1", type: "custom", custom: { name: "write", input: "" } };
    const events = [
      chunk({ role: "assistant", tool_calls: [call] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: TEXT } }] }),
      ended,
    ];
    const tools = [{ type: "custom", custom: { name: "write" } }];
    for (const type of [1, 28]) {
      const { log, text } = await spend({ type, path: CHAT, stream: true }, events, { tools });
      assert.ok(text.includes(`"custom":{"input":"${TEXT}"}`), text);
      assert.ok(log.completion_tokens > 10, `${log.completion_tokens}`);
    }
  });
});
