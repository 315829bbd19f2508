import assert from "node:assert/strict";
import { it } from "node:test";
import type { ChatEvent } from "../../../neutral/chat-answer.ts";
import { UntranslatableError } from "../../../neutral/chat-request.ts";
import { listOf, parseJson, recordOf } from "../../../shared/json-fields.ts";
import { NO_USAGE } from "../../../usage.ts";
import { anthropicMessages } from "../../anthropic-messages/anthropic-messages.ts";
import { openAiCompletions } from "./openai-completions.ts";

const { askedChat } = openAiCompletions;
assert.ok(askedChat !== undefined);
const usage = { ...NO_USAGE, promptTokens: 5, completionTokens: 2 };
const stop = { reason: "stop", stopSequence: "" } as const;

it("a prompt becomes a user message, with the options that a chat has", () => {
  const { chat } = anthropicMessages("2023-06-01");
  const asked = { model: "m", prompt: "Once", max_tokens: 7, temperature: 0.5, stop: "END", user: "u1", stream: true };
  assert.deepEqual(chat?.writeRequest(askedChat.readRequest(asked)), {
    body: {
      model: "m",
      max_tokens: 7,
      messages: [{ role: "user", content: "Once" }],
      temperature: 0.5,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      stream: true,
    },
    dropped: [],
  });
});

it("several prompts, tokens and a suffix are refused by name: a chat cannot express them", () => {
  for (const prompt of [["a", "b"], [1, 2], [[1, 2]], []]) {
    assert.throws(
      () => askedChat.readRequest({ prompt }),
      (error) => error instanceof UntranslatableError && error.field === "prompt",
    );
  }
  const { chat } = anthropicMessages("2023-06-01");
  const withSuffix = askedChat.readRequest({ prompt: "a", suffix: "z" });
  assert.throws(
    () => chat?.writeRequest(withSuffix),
    (error) => error instanceof UntranslatableError && error.field === "suffix",
  );
});

it("a whole answer becomes a completion, refusals included", () => {
  const text = { type: "text", text: "upon a time" } as const;
  const parts = [{ type: "reasoning", text: "Hm.", signature: "" } as const, text];
  const length = { reason: "length", stopSequence: "" } as const;
  const refused = { parts: [{ type: "refusal", text: "No." } as const], finish: stop };
  const answer = { id: "msg_1", model: "m", choices: [{ parts, finish: length }, refused], usage };
  const written = askedChat.writeAnswer(answer, { created: 9, reportUsage: true, request: {} });
  assert.deepEqual(
    { ...written, usage: recordOf(written["usage"])["total_tokens"] },
    {
      id: "cmpl-msg_1",
      object: "text_completion",
      created: 9,
      model: "m",
      choices: [
        { text: "upon a time", index: 0, logprobs: null, finish_reason: "length" },
        { text: "No.", index: 1, logprobs: null, finish_reason: "stop" },
      ],
      usage: 7,
    },
  );
});

it("a stream consists of text, the finish reason and, if requested, usage", () => {
  const events: readonly ChatEvent[] = [
    { type: "answer-start", id: "1", model: "m" },
    { type: "reasoning-delta", choice: 0, text: "Hm." },
    { type: "text-delta", choice: 0, text: "upon" },
    { type: "answer-finish", choice: 0, finish: stop },
    { type: "usage-report", usage },
  ];
  const said = (reportUsage: boolean) => {
    const encoder = askedChat.encode({ created: 9, reportUsage, request: {} });
    const text = events.map((event) => encoder.write(event)).join("") + encoder.finish();
    return text.split("\n\n").flatMap((frame) => {
      if (frame === "") return [];
      const { choices, usage: told } = recordOf(parseJson(frame.slice("data: ".length)));
      return [[listOf(choices)[0], recordOf(told)["completion_tokens"]]];
    });
  };
  const piece = { text: "upon", index: 0, logprobs: null, finish_reason: null };
  const end = { text: "", index: 0, logprobs: null, finish_reason: "stop" };
  assert.deepEqual(said(false), [
    [piece, undefined],
    [end, undefined],
  ]);
  assert.deepEqual(said(true).at(-1), [undefined, 2]);
});
