import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Failure, FailureKind } from "@one-api/providers/failure";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { cohereChat } from "@one-api/providers/protocols/cohere/cohere";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { type JsonRecord, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { answerForFailure } from "../errors/index.ts";

const OPENAI_WORDS =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 213462 tokens.";
const ANTHROPIC_WORDS = "prompt is too long: 213462 tokens > 128000 maximum";
const GOOGLE_WORDS = "The input token count (213462) exceeds the maximum number of tokens allowed (128000).";
const COHERE_WORDS = "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 213462.";

const overflows: Readonly<Record<string, readonly [words: string, failure: Failure]>> = {
  OpenAI: [
    OPENAI_WORDS,
    openAiChat().readError(
      400,
      {},
      JSON.stringify({
        error: { message: OPENAI_WORDS, type: "invalid_request_error", param: "messages", code: null },
      }),
    ),
  ],
  Anthropic: [
    ANTHROPIC_WORDS,
    anthropicMessages("2023-06-01").readError(
      400,
      {},
      JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: ANTHROPIC_WORDS } }),
    ),
  ],
  Google: [
    GOOGLE_WORDS,
    geminiContent.readError(
      400,
      {},
      JSON.stringify({ error: { code: 400, status: "INVALID_ARGUMENT", message: GOOGLE_WORDS } }),
    ),
  ],
  Cohere: [COHERE_WORDS, cohereChat.readError(400, {}, JSON.stringify({ message: COHERE_WORDS }))],
};

function write(dialect: Dialect, failure: Failure): { readonly status: number; readonly error: JsonRecord } {
  const error = answerForFailure(failure);
  const body = recordOf(recordOf(parseJson(dialect.writeError(error, "r1"))).error);
  return { status: dialect.statusOf(error), error: body };
}

function failureOf(kind: FailureKind, status: number): Failure {
  return { kind, status, message: "m", code: "", type: "", param: null, retryAfterMs: null };
}

describe("a prompt that is too long", () => {
  for (const [provider, [words, failure]] of Object.entries(overflows)) {
    it(`from ${provider} has OpenAI's code`, () => {
      const { status, error } = write(openai, failure);
      assert.deepEqual([status, error.code, error.type], [400, "context_length_exceeded", "invalid_request_error"]);
      assert.ok(textOf(error.message).startsWith(words));
    });

    it(`from ${provider} has Anthropic's words and the numbers`, () => {
      const { status, error } = write(anthropic, failure);
      assert.deepEqual([status, error.type], [400, "invalid_request_error"]);
      assert.ok(textOf(error.message).startsWith(ANTHROPIC_WORDS), textOf(error.message));
      assert.ok(textOf(error.message).includes(words));
    });

    it(`from ${provider} has Google's words and the numbers`, () => {
      const { status, error } = write(gemini, failure);
      assert.deepEqual([status, error.status], [400, "INVALID_ARGUMENT"]);
      assert.ok(textOf(error.message).startsWith(GOOGLE_WORDS), textOf(error.message));
      assert.ok(textOf(error.message).includes(words));
    });
  }

  it("has each dialect's words if the provider names no numbers", () => {
    const failure = { ...failureOf("bad-request", 400), code: "context_length_exceeded" };
    assert.match(textOf(write(anthropic, failure).error.message), /^prompt is too long \(m\)/);
    assert.match(textOf(write(gemini, failure).error.message), /^The input token count exceeds the maximum number of/);
  });
});

describe("other refusals", () => {
  it("an overload has the status of the caller's dialect", () => {
    const failure = failureOf("overloaded", 503);
    const written = [openai, anthropic, gemini].map((dialect) => write(dialect, failure));
    assert.deepEqual(
      written.map(({ status }) => status),
      [503, 529, 503],
    );
    assert.equal(written[1]?.error.type, "overloaded_error");
    assert.equal(written[2]?.error.status, "UNAVAILABLE");
  });

  it("a body that is too large has no code of a rate limit", () => {
    const failure = { ...failureOf("bad-request", 413), code: "rate_limit_exceeded", type: "tokens" };
    const { status, error } = write(openai, failure);
    assert.deepEqual([status, error.code, error.type], [413, "request_too_large", "invalid_request_error"]);
    assert.deepEqual(write(anthropic, failure).error.type, "request_too_large");
  });

  it("types and statuses of other providers are dropped if OpenAI has none", () => {
    const failure = { ...failureOf("bad-request", 400), code: "400", type: "INVALID_ARGUMENT" };
    const { error } = write(openai, failure);
    assert.deepEqual([error.type, error.code], ["invalid_request_error", null]);
  });
});
