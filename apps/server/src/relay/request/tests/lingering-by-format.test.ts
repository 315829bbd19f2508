import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { it } from "node:test";
import { leaveStream } from "../../../testing/leave-stream.ts";
import { startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, startRelayTest } from "../../../testing/start-relay-test.ts";

const SEEN = 10;
const THOUGHT = 5_000;
const PROMPT = 700;
/** While it thinks, and between two words of a slow one. */
const SIGN_MS = 400;

/** What a provider says in the format of its channel. */
interface Words {
  readonly type: number;
  readonly opening: string;
  readonly word: string;
  readonly end: string;
}

const json = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const event = (type: string, data: object = {}) => `event: ${type}\n${json({ type, ...data })}`;
const chunk = (delta: object, more: object = {}) =>
  json({ id: "x", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }], ...more });

const openAi: Words = {
  type: 1,
  opening: chunk({ role: "assistant", content: "" }),
  word: chunk({ content: "word " }),
  end: `${chunk(
    {},
    {
      choices: [],
      usage: {
        prompt_tokens: PROMPT,
        completion_tokens: THOUGHT + SEEN,
        completion_tokens_details: { reasoning_tokens: THOUGHT },
      },
    },
  )}data: [DONE]\n\n`,
};
const claude: Words = {
  type: 14,
  opening:
    event("message_start", { message: { id: "x", type: "message", role: "assistant", model: "m", content: [] } }) +
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  word: event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "word " } }),
  end:
    event("message_delta", {
      delta: { stop_reason: "end_turn" },
      usage: {
        input_tokens: PROMPT,
        output_tokens: THOUGHT + SEEN,
        output_tokens_details: { thinking_tokens: THOUGHT },
      },
    }) + event("message_stop"),
};
const said = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
});
const google: Words = {
  type: 24,
  opening: "",
  word: json(said("word ")),
  end: json({
    ...said("", { finishReason: "STOP" }),
    usageMetadata: { promptTokenCount: PROMPT, candidatesTokenCount: SEEN, thoughtsTokenCount: THOUGHT },
  }),
};
const COMMENT = ": OPENROUTER PROCESSING\n\n";
const PING = event("ping");
const EMPTY = chunk({ content: "" });

const chat = (model: string) => ({
  model,
  stream: true,
  max_tokens: 10_000,
  messages: [{ role: "user", content: "x" }],
});
const askOpenAi = (model: string) => ({ path: CHAT, body: chat(model) });
const askClaude = (model: string) => ({ path: "/v1/messages", body: chat(model) });
const askGoogle = (model: string) => ({
  path: `/v1beta/models/${model}:streamGenerateContent`,
  body: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
});

type When = "at first" | "in the middle" | "never";

/** Who thinks when, what it sends meanwhile, and how its caller asks. */
const rows: readonly (readonly [
  name: string,
  provider: Words,
  sign: string,
  when: When,
  ask: typeof askOpenAi | typeof askGoogle,
])[] = [
  ["comments of OpenAI's format, at first", openAi, COMMENT, "at first", askOpenAi],
  ["comments of OpenAI's format", openAi, COMMENT, "in the middle", askOpenAi],
  ["empty pieces of OpenAI's format", openAi, EMPTY, "in the middle", askOpenAi],
  ["pings of Anthropic's format, at first", claude, PING, "at first", askClaude],
  ["pings of Anthropic's format", claude, PING, "in the middle", askClaude],
  ["pings that are translated", claude, PING, "in the middle", askOpenAi],
  ["empty pieces that are translated", openAi, EMPTY, "in the middle", askClaude],
  ["comments where the caller wants a list", google, COMMENT, "in the middle", askGoogle],
  ["comments between words that come slowly", openAi, COMMENT, "never", askOpenAi],
  ["comments between words that come slowly into a list", google, COMMENT, "never", askGoogle],
  ["pings between words that are translated and come slowly", claude, PING, "never", askOpenAi],
];

async function think(response: ServerResponse, sign: string) {
  for (let passedMs = 0; passedMs < 3_400; passedMs += SIGN_MS) {
    response.write(sign);
    await wait(SIGN_MS);
  }
}

async function answer(response: ServerResponse, { opening, word }: Words, sign: string, when: When) {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  response.write(opening);
  if (when === "at first") await think(response, sign);
  for (let count = 1; count <= SEEN; count += 1) {
    if (when === "in the middle" && count === SEEN) await think(response, sign);
    response.write(word);
    if (when !== "never") continue;
    response.write(sign);
    await wait(SIGN_MS);
  }
}

it("a provider that sends signs of life while it thinks is silent all the same", async (t) => {
  const gateway = await startRelayTest();
  t.after(() => gateway.close());
  const { inFlight } = gateway.testApp.deps.relay;
  const key = await gateway.addToken();
  const leave = async (model: string, [name, provider, sign, when, ask]: (typeof rows)[number]) => {
    const open: ServerResponse[] = [];
    const upstream = await startRawUpstream((response) => {
      open.push(response);
      void answer(response, provider, sign, when);
    });
    t.after(() => upstream.close());
    await gateway.addChannel(upstream, { type: provider.type, models: model, name: model });
    await leaveStream(gateway, { key, model, ...ask(model) }, (text) => (text.match(/word /g)?.length ?? 0) >= SEEN);
    open[0]?.end(provider.end);
    return [model, { name, thinks: when !== "never" }] as const;
  };
  const calls = new Map(await Promise.all(rows.map((row, index) => leave(`thinker-${index}`, row))));
  await inFlight.idle();
  const { logs, open, differences } = await gateway.books();
  assert.deepEqual([logs.length, open, differences], [rows.length, 0, 0]);
  for (const { model_name, completion_tokens: tokens, result } of logs) {
    const { name, thinks } = calls.get(model_name) ?? { name: "", thinks: false };
    const shown = tokens - (thinks ? THOUGHT : 0);
    assert.ok(result === "caller-gone" && shown >= SEEN && shown <= SEEN + 5, `${name}: ${tokens} tokens`);
  }
});

const CLAUDE = "claude-sonnet-4-5";
const SEARCHES = 2;
const QUOTA_OF_SEARCH = 5_000;

it("searches that a left stream has told of are paid without a report, whatever its caller speaks", async (t) => {
  const found = (content: unknown) =>
    event("content_block_start", { index: 1, content_block: { type: "web_search_tool_result", content } });
  const results = found([{ type: "web_search_result" }]).repeat(SEARCHES) + found({ error_code: "unavailable" });
  const gateway = await startRelayTest();
  t.after(() => gateway.close());
  const upstream = await startRawUpstream((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(claude.opening + results + claude.word.repeat(SEEN));
  });
  t.after(() => upstream.close());
  await gateway.addChannel(upstream, { type: claude.type, models: CLAUDE });
  const key = await gateway.addToken();
  for (const ask of [askOpenAi, askClaude]) {
    await leaveStream(gateway, { key, model: CLAUDE, ...ask(CLAUDE) }, (text) => text.includes("word "));
    const { result, quota, detail } = await gateway.lastLog();
    assert.equal(result, "caller-gone");
    const fees = SEARCHES * QUOTA_OF_SEARCH;
    assert.ok(quota > fees && quota < fees + QUOTA_OF_SEARCH, `${ask(CLAUDE).path}: ${quota}, ${detail}`);
  }
});
