import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { RequestEdits } from "./format.ts";
import { openAiChat } from "./protocols/openai-chat/openai-chat.ts";
import { maxOutputTokens, requiredLimit } from "./model-facts/max-output-tokens.ts";
import { providerOf } from "./registry.ts";
import { recordOf } from "./shared/json-fields.ts";

const messages = [{ role: "user", content: "Hi" }];
const MODEL = "house-model-7b";
/** Every name that a provider's API has for the limit of an answer. */
const LIMIT = /max_?(?:output|completion|new)?_?tokens|num_predict/i;

function serviceOf(type: number, model: string, baseUrl = "") {
  return providerOf(type)?.serve("chat-completions", model, undefined, {
    baseUrl,
    key: "sk-test",
    organization: "",
    other: "",
    config: {},
  });
}

function written(type: number, body: object): object | undefined {
  const request = openAiChat().chat?.readRequest({ model: MODEL, messages, ...body });
  const chat = serviceOf(type, MODEL)?.format.chat;
  return request === undefined ? undefined : chat?.writeRequest(request).body;
}

test("a limit is sent only if someone set it or the API requires one", () => {
  let seen = 0;
  for (const { type, name } of CHANNEL_TYPES) {
    const chat = serviceOf(type, MODEL)?.format.chat;
    if (chat === undefined || chat.countUsage !== undefined) continue;
    seen += 1;
    const limits = JSON.stringify(written(type, {})).match(new RegExp(LIMIT, "gi")) ?? [];
    const isRequired = serviceOf(type, MODEL)?.format.name === "anthropic-messages";
    assert.equal(limits.length, isRequired ? 1 : 0, `${name}: ${limits.join()}`);
  }
  assert.ok(seen > 25, `${seen} providers`);
});

test("a required limit is the model's longest answer, at most its context", () => {
  const claude = (model: string) => {
    const request = openAiChat().chat?.readRequest({ model, messages });
    return request && serviceOf(14, model)?.format.chat?.writeRequest(request).body.max_tokens;
  };
  assert.equal(claude("claude-3-haiku-20240307"), maxOutputTokens("claude-3-haiku-20240307"));
  assert.equal(requiredLimit("gpt-4"), 8_192);
  assert.equal(claude("claude-of-tomorrow"), 16_384);
});

/** Limits of the body that leaves where the caller's bytes pass: [max_tokens, max_completion_tokens]. */
function passed(type: number, model: string, body: object, { baseUrl = "", maxTokens }: Passing = {}) {
  const service = serviceOf(type, model, baseUrl);
  assert.ok(service?.exact === true, `type ${type} passes bytes`);
  const edits: RequestEdits = { model, systemPrompt: "", maxTokens, reportUsage: false };
  const before: Record<string, unknown> = { model, messages, ...body };
  for (const [name, json] of service.format.edit(before, edits))
    before[name] = json === undefined ? undefined : JSON.parse(json);
  return [before.max_tokens, before.max_completion_tokens];
}

interface Passing {
  readonly baseUrl?: string;
  readonly maxTokens?: number;
}

const OPENAI = 1;
const CUSTOM = 8;
const DOUBAO = 40;

test("a server that may accept either name of the limit receives both", () => {
  for (const type of [2, 4, 5, 6, 7, CUSTOM, 9, 10, 12, 13]) {
    assert.deepEqual(passed(type, MODEL, { max_completion_tokens: 9 }), [9, 9], `type ${type}`);
    assert.deepEqual(passed(type, MODEL, { max_tokens: 9 }), [9, 9], `type ${type}`);
    assert.deepEqual(passed(type, MODEL, {}), [undefined, undefined]);
    assert.deepEqual(passed(type, MODEL, {}, { maxTokens: 7 }), [7, 7]);
    assert.deepEqual(passed(type, MODEL, { max_tokens: 9, max_completion_tokens: 8 }, { maxTokens: 7 }), [7, 7]);
  }
  assert.deepEqual(passed(CUSTOM, MODEL, { max_tokens: 9, max_completion_tokens: 8 }), [9, 8], "as they were written");
  const here = { baseUrl: "http://127.0.0.1:8000" };
  assert.deepEqual(passed(OPENAI, MODEL, { max_completion_tokens: 9 }, here), [9, 9]);
  assert.deepEqual(passed(39, MODEL, { max_completion_tokens: 9 }), [9, 9], "together.ai reads the older name");
  const { max_tokens, max_completion_tokens } = recordOf(written(CUSTOM, { max_tokens: 9 }));
  assert.deepEqual([max_tokens, max_completion_tokens], [9, 9], "written anew");
});

const PLACES_OF_OPENAI_MODELS = [
  [OPENAI, ""],
  [OPENAI, "http://127.0.0.1:8000"],
  [CUSTOM, "http://127.0.0.1:8000"],
] as const;

test("a server that refuses two limits receives one", () => {
  for (const model of ["gpt-4o", "gpt-6.2-sol", "o3", "ft:gpt-4o:a::b", "openai/gpt-5"]) {
    for (const [type, baseUrl] of PLACES_OF_OPENAI_MODELS) {
      assert.deepEqual(passed(type, model, { max_completion_tokens: 9 }, { baseUrl }), [undefined, 9]);
      assert.deepEqual(passed(type, model, { max_tokens: 9 }, { baseUrl }), [9, undefined]);
      assert.deepEqual(passed(type, model, {}, { baseUrl, maxTokens: 7 }), [undefined, 7]);
    }
  }
  assert.deepEqual(passed(OPENAI, "alias", { max_completion_tokens: 9 }), [undefined, 9], "OpenAI's own address");
  assert.deepEqual(passed(OPENAI, "alias", { max_tokens: 9 }), [9, undefined]);
  assert.deepEqual(passed(DOUBAO, "doubao-seed", { max_completion_tokens: 9 }), [9, undefined]);
  assert.deepEqual(passed(DOUBAO, "doubao-seed", { max_tokens: 9 }), [9, undefined]);
});
