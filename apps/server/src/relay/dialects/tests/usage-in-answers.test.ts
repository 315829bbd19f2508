import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { listOf, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const GEMINI = "gemini-3-flash-preview";
const GEMINI_EMBEDDING = "gemini-embedding-001";
const COHERE = "command-a-03-2025";
const RERANK = "rerank-v3.5";

let gateway: RelayTest;
let upstream: StubServer;
let key: string;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: TEST_MODEL });
  await gateway.addChannel(upstream, { type: 24, models: `${GEMINI},${GEMINI_EMBEDDING}` });
  await gateway.addChannel(upstream, { type: 35, models: `${COHERE},${RERANK}` });
  key = await gateway.addToken();
});
after(() => gateway.close());
beforeEach(() => upstream.setBehaviour({ kind: "malformed", fault: "no-usage" }));

async function send(path: string, body: object): Promise<string> {
  const answer = await gateway.post(path, key, body);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

/** What the events of a stream hold. */
const eventsOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => recordOf(parseJson(line.slice("data: ".length))));

const messages = [{ role: "user", content: "some words to be said" }];
const contents = [{ role: "user", parts: [{ text: "some words to be said" }] }];

/** Every way to ask for a chat: by its stream, as a whole, and where the answer tells what was used. */
const CALLERS = [
  {
    name: "chat completions",
    ofModel: (model: string, stream: boolean) => ({
      path: "/v1/chat/completions",
      body: { model, messages, stream, ...(stream && { stream_options: { include_usage: true } }) },
    }),
    fields: ["usage", "prompt_tokens", "completion_tokens"],
  },
  {
    name: "completions",
    ofModel: (model: string, stream: boolean) => ({
      path: "/v1/completions",
      body: { model, prompt: "some words", stream, ...(stream && { stream_options: { include_usage: true } }) },
    }),
    fields: ["usage", "prompt_tokens", "completion_tokens"],
  },
  {
    name: "responses",
    ofModel: (model: string, stream: boolean) => ({
      path: "/v1/responses",
      body: { model, input: "some words to be said", stream },
    }),
    fields: ["usage", "input_tokens", "output_tokens"],
  },
  {
    name: "messages",
    ofModel: (model: string, stream: boolean) => ({
      path: "/v1/messages",
      body: { model, messages, max_tokens: 100, stream },
    }),
    fields: ["usage", "input_tokens", "output_tokens"],
  },
  {
    name: "Gemini's content",
    ofModel: (model: string, stream: boolean) => ({
      path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      body: { contents },
    }),
    fields: ["usageMetadata", "promptTokenCount", "candidatesTokenCount"],
  },
] as const;

/** Where the bytes of a provider pass as they are. */
const PASSES: Readonly<Record<string, string>> = {
  "chat completions": TEST_MODEL,
  completions: TEST_MODEL,
  responses: TEST_MODEL,
  "Gemini's content": GEMINI,
};

describe("what a provider does not report", () => {
  for (const { name, ofModel, fields } of CALLERS) {
    const [place, prompt, completion] = fields;
    const reportIn = (said: Record<string, unknown>) => recordOf(recordOf(said["response"] ?? said)[place]);
    for (const model of [TEST_MODEL, GEMINI, COHERE].filter((other) => PASSES[name] !== other)) {
      it(`is told to callers of ${name} as it is charged: ${model}`, async () => {
        const whole = ofModel(model, false);
        const answer = reportIn(recordOf(parseJson(await send(whole.path, whole.body))));
        const ofWhole = await gateway.lastLog();
        assert.ok(ofWhole.prompt_tokens > 0 && ofWhole.completion_tokens > 0);
        assert.deepEqual([answer[prompt], answer[completion]], [ofWhole.prompt_tokens, ofWhole.completion_tokens]);
        const stream = ofModel(model, true);
        const reports = eventsOf(await send(stream.path, stream.body)).map(reportIn);
        const last = reports.findLast((report) => report[completion] !== undefined) ?? {};
        const ofStream = await gateway.lastLog();
        assert.match(ofStream.detail, /"rule":"estimated"/);
        assert.ok(ofStream.completion_tokens > 0);
        assert.equal(last[completion], ofStream.completion_tokens);
        assert.equal(last[prompt] ?? ofStream.prompt_tokens, ofStream.prompt_tokens);
      });
    }
  }

  for (const path of ["/v1/chat/completions", "/v1/completions"]) {
    it(`is a chunk more in the same words where a caller of ${path} asked for it, and nothing where none did`, async () => {
      const asked = { model: TEST_MODEL, messages, prompt: "some words", stream: true };
      const plain = await send(path, asked);
      assert.ok(eventsOf(plain).every(({ usage }) => (usage ?? null) === null));
      const chunks = eventsOf(await send(path, { ...asked, stream_options: { include_usage: true } }));
      const [last, piece] = [chunks.at(-1), chunks.at(-2)];
      assert.ok(last !== undefined && piece !== undefined);
      const { usage, choices, ...head } = last;
      assert.deepEqual(choices, []);
      for (const [field, value] of Object.entries(head)) assert.equal(value, piece[field], field);
      const { prompt_tokens, completion_tokens } = await gateway.lastLog();
      assert.ok(completion_tokens > 0);
      const told = recordOf(usage);
      assert.deepEqual([told["prompt_tokens"], told["completion_tokens"]], [prompt_tokens, completion_tokens]);
    });
  }

  it("comes before the end of the stream", async () => {
    const asked = { messages, stream: true, stream_options: { include_usage: true } };
    for (const model of [TEST_MODEL, COHERE]) {
      const text = await send("/v1/chat/completions", { ...asked, model });
      assert.match(text, /"usage":\{[^\n]*\n\ndata: \[DONE\]\n\n$/);
    }
  });

  it("ends Google's lists of events, too", async () => {
    const list = listOf(parseJson(await send(`/v1beta/models/${COHERE}:streamGenerateContent`, { contents })));
    const { candidatesTokenCount } = recordOf(recordOf(list.at(-1))["usageMetadata"]);
    assert.equal(candidatesTokenCount, (await gateway.lastLog()).completion_tokens);
  });

  it("is told of embeddings", async () => {
    const answer = recordOf(parseJson(await send("/v1/embeddings", { model: GEMINI_EMBEDDING, input: "some words" })));
    const { prompt_tokens } = await gateway.lastLog();
    assert.ok(prompt_tokens > 0);
    assert.equal(recordOf(answer["usage"])["prompt_tokens"], prompt_tokens);
  });
});
