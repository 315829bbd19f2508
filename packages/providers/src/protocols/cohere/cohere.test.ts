import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { openAiEmbeddings } from "../openai/embeddings.ts";
import { openAiChat } from "../openai-chat/openai-chat.ts";
import { CohereStreamDecoder, readAnswer, readUsage } from "./answer.ts";
import { cohereEmbeddings } from "./cohere.ts";
import { carriesError, readError } from "./read-error.ts";
import { writeRequest } from "./write-request.ts";

const OLDER = "command-a-03-2025";
const THINKER = "command-a-reasoning-08-2025";
const hello = { role: "user", content: "hello" };
const weather = { type: "function", function: { name: "weather", parameters: { type: "object" } } };
const clock = { type: "function", function: { name: "clock" } };

function write(asked: JsonRecord) {
  const openAi = openAiChat({ thoughts: "details", reasoning: "effort-always" }).chat;
  assert.ok(openAi !== undefined);
  return writeRequest(openAi.readRequest({ model: OLDER, messages: [hello], ...asked }));
}

describe("a chat for Cohere", () => {
  it("stays within Cohere's ranges and names the dropped fields", () => {
    const { body, dropped } = write({
      top_p: 1,
      frequency_penalty: 0.5,
      presence_penalty: 1.5,
      n: 2,
      reasoning_effort: "high",
    });
    assert.deepEqual([body.p, body.frequency_penalty, body.presence_penalty], [0.99, 0.5, undefined]);
    assert.deepEqual([...dropped].toSorted(), ["n", "presence_penalty", "reasoning"]);
    const plain = write({ frequency_penalty: 0, presence_penalty: 0.2 });
    assert.deepEqual([plain.body.frequency_penalty, plain.body.presence_penalty], [undefined, 0.2]);
    assert.deepEqual(plain.dropped, []);
  });

  it("declares only the required tool, and no answer format beside tools", () => {
    const choice = { type: "function", function: { name: "clock" } };
    const { body, dropped } = write({
      tools: [weather, clock],
      tool_choice: choice,
      response_format: { type: "json_object" },
    });
    const parameters = { type: "object", properties: {} };
    assert.deepEqual(body.tools, [{ type: "function", function: { name: "clock", parameters } }]);
    assert.deepEqual([body.tool_choice, body.response_format, dropped], ["REQUIRED", undefined, ["response_format"]]);
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const formed = write({ response_format: { type: "json_schema", json_schema: { name: "x", schema } } });
    assert.deepEqual(formed.body.response_format, { type: "json_object", json_schema: schema });
  });

  it("joins leading system messages, and drops empty messages", () => {
    const system = { role: "system", content: "Be brief." };
    const { body } = write({
      messages: [system, { role: "system", content: "Be kind." }, hello, { role: "assistant", content: "" }, system],
    });
    assert.deepEqual(body.messages, [
      { role: "system", content: "Be brief.\n\nBe kind." },
      { role: "user", content: [{ type: "text", text: "hello" }] },
      { role: "user", content: [{ type: "text", text: "Be brief." }] },
    ]);
  });

  it("returns thoughts as such to models that think, and as the plan of a call to others", () => {
    const called = { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Ulm"}' } };
    const reasoning_details = [{ type: "reasoning.text", text: "Look it up." }];
    const messages = [
      hello,
      { role: "assistant", content: null, reasoning_details, tool_calls: [called] },
      { role: "tool", tool_call_id: "c1", content: "Sunny" },
    ];
    const turnsOf = (model: string) => write({ model, messages, tools: [weather] }).body.messages;
    const user = { role: "user", content: [{ type: "text", text: "hello" }] };
    const result = { role: "tool", tool_call_id: "c1", content: "Sunny" };
    assert.deepEqual(turnsOf(OLDER), [
      user,
      { role: "assistant", tool_calls: [called], tool_plan: "Look it up." },
      result,
    ]);
    assert.deepEqual(turnsOf(THINKER), [
      user,
      { role: "assistant", content: [{ type: "thinking", thinking: "Look it up." }], tool_calls: [called] },
      result,
    ]);
  });

  it("has the requested thinking budget", () => {
    const thinking = (reasoning_effort: string) => write({ model: THINKER, reasoning_effort }).body.thinking;
    assert.deepEqual(["none", "low", "high"].map(thinking), [
      { type: "disabled" },
      { type: "enabled", token_budget: 1_024 },
      { type: "enabled" },
    ]);
  });

  it("is refused with a fix if it needs a web search", () => {
    assert.throws(
      () => write({ model: "command-r-plus-internet" }),
      (error: unknown) => {
        assert.ok(error instanceof UntranslatableError && error.field === "model");
        return /Ask for command-r-plus or a newer model/.test(error.message);
      },
    );
  });
});

describe("an answer of Cohere", () => {
  it("has an object for the arguments of tools without any, whole or streamed in any pieces", () => {
    const call = (text: string) => ({ id: "t1", type: "function", function: { name: "clock", arguments: text } });
    for (const written of ["", "null", "{}"]) {
      const whole = readAnswer({ message: { tool_calls: [call(written)] }, finish_reason: "TOOL_CALL" });
      assert.deepEqual(whole.choices[0]?.parts, [{ type: "tool-call", id: "t1", name: "clock", input: "{}" }]);
      const decoder = new CohereStreamDecoder();
      const read = (event: JsonRecord) => decoder.read("", JSON.stringify(event));
      const delta = (tool_calls: unknown) => ({ index: 3, delta: { message: { tool_calls } } });
      const events = [
        ...read({ type: "tool-call-start", ...delta(call("")) }),
        ...written
          .split("")
          .flatMap((text) => read({ type: "tool-call-delta", ...delta({ function: { arguments: text } }) })),
        ...read({ type: "tool-call-end", index: 3 }),
        ...read({ type: "message-end", delta: { finish_reason: "TOOL_CALL" } }),
      ];
      const input = events.map((event: ChatEvent) => (event.type === "tool-input-delta" ? event.text : "")).join("");
      assert.equal(input, "{}", JSON.stringify(written));
      assert.deepEqual(events[0], { type: "tool-call-start", choice: 0, call: 0, id: "t1", name: "clock" });
    }
  });

  it("counts the model's tokens with cached ones, else the billed ones", () => {
    const billed_units = { input_tokens: 12, output_tokens: 7 };
    const tokens = { input_tokens: 507, output_tokens: 10 };
    const counted = readUsage({ usage: { billed_units, tokens, cached_tokens: 448 } });
    assert.deepEqual(counted, { ...NO_USAGE, promptTokens: 507, completionTokens: 10, cachedTokens: 448 });
    assert.equal(readUsage({ meta: { billed_units } })?.promptTokens, 12);
    assert.equal(readUsage({ usage: {} }), undefined);
  });

  it("that ended in a failure is a failure, whole or streamed", () => {
    const answer = { id: "a", message: { content: [] }, finish_reason: "TIMEOUT" };
    assert.ok(carriesError(answer));
    assert.equal(readError(200, {}, JSON.stringify(answer)).kind, "timeout");
    const end = { type: "message-end", delta: { finish_reason: "ERROR", error: "CUDA died" } };
    const [event] = new CohereStreamDecoder().read("", JSON.stringify(end));
    assert.ok(event?.type === "error");
    assert.deepEqual([event.failure.kind, event.failure.message], ["broken-stream", "CUDA died"]);
  });
});

describe("a refusal of Cohere", () => {
  const kindOf = (status: number, message: string) => readError(status, {}, JSON.stringify({ id: "x", message })).kind;

  it("is classified by its status and by the exhausted limit", () => {
    assert.equal(kindOf(401, "invalid api token"), "bad-credential");
    assert.equal(kindOf(402, "Please add or update your payment method"), "out-of-credit");
    assert.equal(kindOf(404, "model 'none' not found"), "unknown-model");
    assert.equal(kindOf(498, "blocked output"), "bad-request");
    assert.equal(kindOf(499, "request cancelled"), "timeout");
    const limited = (per: string) => `You are using a Trial key, which is limited to 40 API calls / ${per}.`;
    assert.deepEqual(
      ["minute", "month"].map((per) => kindOf(429, limited(per))),
      ["rate-limited", "out-of-credit"],
    );
  });
});

describe("embeddings of Cohere", () => {
  const asked = (more: JsonRecord) => {
    const request = openAiEmbeddings.readRequest({ model: "embed-v4.0", input: ["a", "b"], ...more });
    return cohereEmbeddings.embeddings?.writeRequest(request);
  };

  it("are of documents unless the caller names another input type", () => {
    const plain = asked({ dimensions: 256, user: "u" });
    assert.deepEqual(plain?.body, {
      model: "embed-v4.0",
      texts: ["a", "b"],
      input_type: "search_document",
      embedding_types: ["float"],
      output_dimension: 256,
      truncate: "NONE",
    });
    assert.deepEqual(plain.dropped, ["user"]);
    const question = asked({ input_type: "search_query" });
    assert.deepEqual([question?.body.input_type, question?.dropped], ["search_query", []]);
  });

  it("of too many texts are refused with a fix", () => {
    assert.throws(() => asked({ input: Array.from({ length: 97 }, String) }), /97 texts.*96 at most/);
  });
});
