import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { hunyuanChat } from "./format.ts";

const messages = [{ role: "user", content: "hello" }];

function write(body: object) {
  const chat = openAiChat().chat;
  assert.ok(chat !== undefined && hunyuanChat.chat !== undefined);
  return hunyuanChat.chat.writeRequest(chat.readRequest({ model: "hunyuan-turbos-latest", messages, ...body }));
}

describe("the chat of Tencent's cloud API", () => {
  it("is OpenAI's with Tencent's names", () => {
    const call = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
    const image = { type: "image_url", image_url: { url: "https://host.example/a.png" } };
    const { body, dropped } = write({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Look" }, image] },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "Sunny" },
      ],
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ["x"],
      enable_enhancement: true,
      stream: true,
    });
    const parts = [
      { Type: "text", Text: "Look" },
      { Type: "image_url", ImageUrl: { Url: "https://host.example/a.png" } },
    ];
    const called = { Id: "c", Type: "function", Function: { Name: "look", Arguments: "{}" } };
    assert.deepEqual(body, {
      Model: "hunyuan-turbos-latest",
      Messages: [
        { Role: "system", Content: "Be brief." },
        { Role: "user", Contents: parts },
        { Role: "assistant", ToolCalls: [called], Content: "" },
        { Role: "tool", ToolCallId: "c", Content: "Sunny" },
      ],
      Temperature: 0.5,
      TopP: 0.9,
      Seed: 7,
      Stop: ["x"],
      EnableEnhancement: true,
      Stream: true,
    });
    assert.deepEqual(dropped, []);
  });

  it("sends parameters of tools as text, and the forced tool", () => {
    const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
    const custom = { Type: "function", Function: { Name: "b", Parameters: '{"type":"object"}' } };
    const named = write({
      tools: [tool("a"), tool("b")],
      tool_choice: { type: "function", function: { name: "b" } },
    }).body;
    assert.deepEqual([named.ToolChoice, named.CustomTool], ["custom", custom]);
    const several = write({ tools: [tool("a"), tool("b")], tool_choice: "required" });
    assert.deepEqual([several.body.ToolChoice, several.dropped], [undefined, ["tool_choice"]]);
    assert.equal(write({ tools: [tool("a")], tool_choice: "none" }).body.ToolChoice, "none");
  });

  it("names dropped fields, limits too", () => {
    const { body, dropped } = write({ max_tokens: 5, n: 2, seed: 0, user: "u", logit_bias: {} });
    assert.deepEqual([...dropped].toSorted(), ["logit_bias", "max_tokens", "n", "seed", "user"]);
    assert.deepEqual(Object.keys(body), ["Model", "Messages", "Stream"]);
  });

  it("reads usage, thoughts and a filter's finish reason", () => {
    const answer = {
      Response: {
        Id: "1",
        Choices: [
          { FinishReason: "sensitive", Message: { Role: "assistant", Content: "Hi", ReasoningContent: "Hm." } },
        ],
        Usage: { PromptTokens: 9, CompletionTokens: 2, TotalTokens: 11, PromptTokensDetails: { CachedTokens: "4" } },
      },
    };
    const read = hunyuanChat.chat?.readAnswer?.(answer);
    assert.deepEqual(
      [read?.choices[0]?.finish.reason, read?.choices[0]?.parts.map(({ type }) => type)],
      ["refusal", ["reasoning", "text"]],
    );
    const usage = hunyuanChat.readUsage(answer);
    assert.deepEqual([usage?.promptTokens, usage?.completionTokens, usage?.cachedTokens], [9, 2, 4]);
  });

  it("recognizes errors by their codes, as all have a good status", () => {
    const kindOf = (Code: string) =>
      hunyuanChat.readError(200, {}, JSON.stringify({ Response: { Error: { Code, Message: "No." } } })).kind;
    const kinds: Readonly<Record<string, readonly string[]>> = {
      "bad-credential": ["AuthFailure.SignatureFailure", "UnauthorizedOperation"],
      "server-error": ["AuthFailure.SignatureExpire", "InternalError", "FailedOperation.EngineServerError"],
      "out-of-credit": ["FailedOperation.ResourcePackExhausted", "ResourceInsufficient.ChargeResourceExhaust"],
      "rate-limited": ["RequestLimitExceeded.UinLimitExceeded", "LimitExceeded"],
      "unknown-model": ["InvalidParameterValue.Model"],
      "bad-request": ["InvalidParameterValue", "MissingParameter", "OperationDenied.TextIllegalDetected"],
      timeout: ["FailedOperation.EngineRequestTimeout"],
    };
    for (const [kind, codes] of Object.entries(kinds)) for (const code of codes) assert.equal(kindOf(code), kind, code);
    const inStream = JSON.stringify({ ErrorMsg: { Msg: "late", Code: 4001 } });
    assert.equal(hunyuanChat.readError(200, {}, inStream).kind, "timeout");
    assert.equal(hunyuanChat.chat?.decode().read("", inStream)[0]?.type, "error");
  });
});
