import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import type { RequestEdits } from "../../format.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { OLDER_VERSION } from "./usage.ts";

const format = anthropicMessages(OLDER_VERSION);
const event = (fields: JsonRecord) => Buffer.from(writeServerSentEvent(String(fields.type), JSON.stringify(fields)));
const start = event({
  type: "message_start",
  message: {
    usage: { input_tokens: 5, cache_creation_input_tokens: 7, cache_read_input_tokens: 11, output_tokens: 1 },
  },
});
const opening = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const text = (piece: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: piece } });
const end = event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } });
const meterOf = () => format.meter({ passUsage: false, countText: (written) => written.length });

describe("the meter of Anthropic's streams", () => {
  it("takes neither pings nor empty starts for content, and then forwards deltas unread", () => {
    const meter = meterOf();
    for (const early of [start, event({ type: "ping" }), opening]) {
      assert.deepEqual(meter.look(early), { kind: "forward" });
    }
    assert.equal(meter.sawContent, false);
    meter.look(text("Hi"));
    assert.equal(meter.sawContent, true);
    const pieces = Buffer.concat([text(" you"), text("!")]);
    const events = Buffer.concat([pieces, end]);
    assert.equal(meter.passing(events, events.toString("latin1"), 0), pieces.length);
    assert.equal(meter.passing(events, events.toString("latin1"), pieces.length), pieces.length);
    assert.equal(meter.deliveredTokens(), "Hi you!".length);
  });

  it("adds the report at the end to the one at the start", () => {
    const meter = meterOf();
    for (const passed of [start, text("Hi"), end]) meter.look(passed);
    assert.equal(meter.finished, true);
    assert.deepEqual(meter.usage, {
      ...NO_USAGE,
      promptTokens: 23,
      cachedTokens: 11,
      cacheWriteTokens: 7,
      completionTokens: 9,
    });
    assert.deepEqual(meter.look(event({ type: "message_stop" })), { kind: "end" });
  });

  it("counts searches, wherever the stream is cut", () => {
    const meter = meterOf();
    const found = (content: unknown) =>
      event({ type: "content_block_start", index: 1, content_block: { type: "web_search_tool_result", content } });
    for (const passed of [start, text("Hi")]) meter.look(passed);
    for (const result of [found([{ type: "web_search_result" }]), found([]), found({ error_code: "unavailable" })]) {
      assert.equal(meter.passing(result, result.toString("latin1"), 0), 0, "it is looked at");
      meter.look(result);
    }
    assert.equal((meter.beside?.toolFees ?? 0) / FEES_PER_DOLLAR, 0.02);
  });

  it("charges code execution five minutes of its container, once, in streams and in answers", () => {
    const blocks = ["bash_code_execution_tool_result", "code_execution_tool_result"].map((type) => ({
      type,
      content: {},
    }));
    const meter = meterOf();
    meter.look(start);
    for (const block of blocks) {
      const result = event({ type: "content_block_start", index: 1, content_block: block });
      assert.equal(meter.passing(result, result.toString("latin1"), 0), 0, "it is looked at");
      meter.look(result);
    }
    assert.deepEqual([meter.beside?.toolFees, meter.usage?.toolFees], [9, 9]);
    assert.equal(format.readUsage({ type: "message", content: blocks })?.toolFees, 9);
  });

  it("charges the delivered text if the end reports nothing", () => {
    const meter = meterOf();
    for (const passed of [start, text("Hi you!"), event({ type: "message_stop" })]) meter.look(passed);
    assert.equal(meter.usage?.completionTokens, "Hi you!".length);
  });

  it("retains the prompt of a report that names none, and ignores a completion of zero", () => {
    for (const input of [undefined, 0]) {
      const meter = meterOf();
      const empty = event({ type: "message_start", message: { usage: { input_tokens: input, output_tokens: 0 } } });
      for (const passed of [empty, text("Hi you!"), end, event({ type: "message_stop" })]) meter.look(passed);
      assert.deepEqual([meter.usage?.promptTokens, meter.usage?.completionTokens], [0, 9]);
      assert.equal(meter.deliveredTokens(), "Hi you!".length);
      const whole = { type: "message", content: [], usage: { input_tokens: input, output_tokens: 9 } };
      assert.deepEqual(format.readUsage(whole), { ...NO_USAGE, completionTokens: 9 });
    }
  });

  it("adds compaction summaries, which no total includes, once", () => {
    const summary = {
      type: "compaction",
      input_tokens: 180_000,
      cache_read_input_tokens: 20_000,
      output_tokens: 3_500,
    };
    const iterations = [summary, { type: "message", input_tokens: 23_000, output_tokens: 1_000 }];
    const usage = { input_tokens: 23_000, output_tokens: 1_000, iterations };
    const meter = meterOf();
    for (const passed of [
      event({ type: "message_start", message: { usage: { ...usage, output_tokens: 1 } } }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }),
    ])
      meter.look(passed);
    for (const read of [meter.usage, format.readUsage({ usage })]) {
      assert.deepEqual([read?.promptTokens, read?.cachedTokens, read?.completionTokens], [223_000, 20_000, 4_500]);
    }
  });

  it("counts thoughts, tool names and arguments", () => {
    const meter = meterOf();
    const call = { type: "tool_use", id: "t", name: "look", input: {} };
    for (const passed of [
      event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } }),
      event({ type: "content_block_start", index: 1, content_block: call }),
      event({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } }),
    ]) {
      meter.look(passed);
    }
    assert.equal(meter.deliveredTokens(), "Hm.look{}".length);
  });

  it("ends with an error event", () => {
    const verdict = meterOf().look(event({ type: "error", error: { type: "overloaded_error", message: "Busy" } }));
    assert.equal(verdict.kind === "error" && verdict.failure.kind, "overloaded");
  });
});

describe("a request that passes through", () => {
  const none: RequestEdits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: true };
  const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] };

  it("is changed only in the edited fields", () => {
    assert.deepEqual([...format.edit(body, none)], []);
    assert.deepEqual(
      [...format.edit(body, { model: "x", systemPrompt: "Be brief.", maxTokens: 3, reportUsage: true })],
      [
        ["model", '"x"'],
        ["system", '"Be brief."'],
        ["max_tokens", "3"],
      ],
    );
    assert.equal(format.systemPromptEffect(body), "added");
    assert.equal(format.systemPromptEffect({ ...body, system: "x" }), "replaced");
  });

  it("is counted with everything that the model reads", () => {
    const parts = format.promptParts({
      ...body,
      system: [{ type: "text", text: "S" }],
      tools: [{ name: "f" }],
      messages: [
        { role: "user", content: "Q" },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "R" }, { type: "image" }] },
            { type: "document", title: "T", source: { type: "text", data: "D" } },
          ],
        },
      ],
    });
    assert.equal([...parts.texts].toSorted().join(" "), 'D Q R S T user user {"name":"f"}');
    assert.deepEqual([parts.messages, parts.highDetailImages], [2, 1]);
  });
});

describe("Anthropic's errors", () => {
  const read = (status: number, type: string, more: JsonRecord = {}, headers = {}) =>
    format.readError(
      status,
      headers,
      JSON.stringify({ type: "error", error: { type, message: "No, sk-ant-api03-abcdefghijklmnop.", ...more } }),
    );

  it("have Anthropic's meaning and no secrets", () => {
    const kinds = [
      [400, "invalid_request_error", "bad-request"],
      [401, "authentication_error", "bad-credential"],
      [402, "billing_error", "out-of-credit"],
      [403, "permission_error", "bad-credential"],
      [404, "not_found_error", "unknown-model"],
      [413, "request_too_large", "bad-request"],
      [429, "rate_limit_error", "rate-limited"],
      [500, "api_error", "server-error"],
      [504, "timeout_error", "timeout"],
      [529, "overloaded_error", "overloaded"],
    ] as const;
    for (const [status, type, kind] of kinds) {
      const failure = read(status, type);
      assert.equal(failure.kind, kind, type);
      assert.doesNotMatch(failure.message, /abcdefgh/);
    }
    assert.equal(read(429, "rate_limit_error", {}, { "retry-after": "7" }).retryAfterMs, 7_000);
  });

  it("report by a code, or one fixed sentence, that the account is out of credit", () => {
    const code = { details: { error_code: "contract_spend_limit_reached" } };
    assert.equal(read(429, "rate_limit_error", code).kind, "out-of-credit");
    const message = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.";
    assert.equal(read(400, "invalid_request_error", { message }).kind, "out-of-credit");
  });

  it("report that the conversation belongs to another account", () => {
    assert.equal(read(404, "not_found_error", { details: { error_code: "thread_not_found" } }).kind, "kept-elsewhere");
  });

  it("of proxies are read as those of any provider", () => {
    assert.equal(format.readError(502, {}, "<html>").kind, "server-error");
    assert.equal(format.readError(429, {}, "slow down").kind, "rate-limited");
    assert.equal(format.carriesError({ type: "error", error: { type: "api_error" } }), true);
    assert.equal(format.carriesError({ type: "message", content: [] }), false);
  });
});
