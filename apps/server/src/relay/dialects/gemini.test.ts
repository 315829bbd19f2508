import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody } from "../body/index.ts";
import { usageUpperBound } from "../usage/index.ts";
import { gemini } from "./gemini.ts";

const MODEL = "gemini-2.5-flash";
const CONTEXT_TOKENS = 1_048_576;

/** Upper bound of a request's usage, and the parsed request. */
function bound(body: object, method = "generateContent", query = "") {
  const callPath = gemini.callAt(`/v1beta/models/${MODEL}:${method}`, query);
  assert.ok(callPath !== undefined);
  const parsed = callPath.parseRequest(readBody(Buffer.from(JSON.stringify(body))), {});
  return { ...usageUpperBound(parsed, [MODEL]), parsed };
}

const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
const showing = (part: object) => ({ contents: [{ parts: [part] }] });
const DATA = "x".repeat(40_000);

test("an answer's upper bound covers its limit, thoughts and number of candidates", () => {
  const generationConfig = { maxOutputTokens: 10, candidateCount: 3, thinkingConfig: { thinkingBudget: 100 } };
  assert.equal(bound({ contents, generationConfig }).completionTokens, 330);
  const snake = { max_output_tokens: 10, candidate_count: 2 };
  assert.equal(bound({ contents, generation_config: snake }).completionTokens, 20);
  assert.ok(bound({ contents }).completionTokens > 10_000);
  for (const responseModalities of [["AUDIO"], "AUDIO"])
    assert.equal(bound({ contents, generationConfig: { responseModalities } }).wantsAudio, true);
  const inText = { maxOutputTokens: "10", candidateCount: "3", thinkingConfig: { thinkingBudget: "100" } };
  assert.equal(bound({ contents, generationConfig: inText }).completionTokens, 330);
  const isNone = { thinkingConfig: { thinkingBudget: "many" } };
  assert.throws(() => bound({ contents, generationConfig: isNone }), { param: "thinkingBudget" });
});

test("images and recordings have their own bound, other media that of the context", () => {
  const most = (part: object) => {
    const { promptTokens, audioPromptTokens } = bound(showing(part));
    return promptTokens + audioPromptTokens;
  };
  assert.ok(most({ inlineData: { mimeType: "image/png", data: DATA } }) < 40_000);
  assert.ok(most({ inlineData: { mimeType: "audio/mp3", data: DATA } }) < 2_000);
  for (const part of [
    { inlineData: { mimeType: "video/mp4", data: DATA } },
    { inline_data: { mimeType: "image/png", mime_type: "video/mp4", data: DATA } },
    { fileData: { mimeType: "image/png", fileUri: "https://host.example/a.png" } },
    { functionResponse: { name: "a", parts: [{ inlineData: { mimeType: "application/pdf", data: DATA } }] } },
  ]) {
    assert.ok(most(part) >= CONTEXT_TOKENS, JSON.stringify(part).slice(0, 60));
  }
});

test("content that Google fetches, stores or searches has an open bound, and searches are reserved", () => {
  for (const more of [
    { cachedContent: "cachedContents/1" },
    { tools: [{ urlContext: {} }] },
    { tools: { urlContext: {} } },
    { tools: [{ codeExecution: {} }] },
  ]) {
    assert.ok(bound({ contents, ...more }).audioPromptTokens >= CONTEXT_TOKENS, JSON.stringify(more));
  }
  assert.equal(bound({ contents, tools: [{ google_search: {} }] }).toolFees, 400);
  const functions = bound({ contents, tools: [{ functionDeclarations: [{ name: "a" }] }] });
  assert.deepEqual([functions.toolFees, functions.audioPromptTokens], [0, 0]);
});

test("the method and the query decide the answer's form", () => {
  const streams = ["generateContent", "streamGenerateContent"].map((method) => {
    const { parsed } = bound({ contents }, method);
    return [parsed.model, parsed.stream, parsed.inArray];
  });
  assert.deepEqual(streams, [
    [MODEL, false, false],
    [MODEL, true, true],
  ]);
  assert.equal(bound({ contents }, "streamGenerateContent", "alt=sse&key=x").parsed.inArray, false);
  assert.equal(gemini.callAt("/v1beta/models/x:predict", ""), undefined);
  const path = "/v1beta/models/openai/gpt-5:latest:generateContent";
  const body = readBody(Buffer.from(JSON.stringify({ contents })));
  assert.equal(gemini.callAt(path, "")?.parseRequest(body, {}).model, "openai/gpt-5:latest");
});
