import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeAwsMessage } from "@one-api/providers/vendors/aws/stub/aws-messages";
import type { Format, ProviderFormat } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { bedrockConverse } from "@one-api/providers/vendors/aws/format";
import { cohereChat } from "@one-api/providers/protocols/cohere/cohere";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { ollamaChat } from "@one-api/providers/vendors/ollama/format";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { hunyuanChat } from "@one-api/providers/vendors/hunyuan/format";
import { NO_USAGE } from "@one-api/providers/usage";
import { type ParsedRequest, readBody } from "../body/index.ts";
import { ownRequest } from "../dialects/index.ts";
import { createThroughNeutral } from "./through-neutral.ts";

const NUMBERS =
  '{"id":12345678901234567890,"x":1.0,"list":[-0,1e3,0.10,-2.50E-7],"deep":{"n":9007199254740993},"plain":3}';
const LEAST =
  '{"type":"object","properties":{"v":{"type":"number","minimum":1.0,"maximum":12345678901234567890,"default":1e3}}}';
const QUOTED = JSON.stringify(NUMBERS);

const chat = openAiChat();
const messages = anthropicMessages("2023-06-01");

/** Requests with a tool, a call and its result. */
const ASKED: readonly (readonly [Format, string])[] = [
  [
    chat,
    `{"model":"m","temperature":1.0,"tools":[{"type":"function","function":{"name":"f","parameters":${LEAST}}}],"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${QUOTED}}}]},{"role":"tool","tool_call_id":"c","content":${QUOTED}}]}`,
  ],
  [
    openAiResponses,
    `{"model":"m","temperature":1.0,"tools":[{"type":"function","name":"f","parameters":${LEAST}}],"input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"c","name":"f","arguments":${QUOTED}},{"type":"function_call_output","call_id":"c","output":${QUOTED}}]}`,
  ],
  [
    messages,
    `{"model":"m","max_tokens":64,"temperature":1.0,"tools":[{"name":"f","input_schema":${LEAST}}],"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${NUMBERS}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":${QUOTED}}]}]}`,
  ],
  [
    geminiContent,
    `{"generationConfig":{"temperature":1.0},"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${LEAST}}]}],"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"f","args":${NUMBERS}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":${NUMBERS}}}]}]}`,
  ],
];

const BEDROCK = bedrockConverse("anthropic.claude-sonnet-4-5");

/** Events of Bedrock's streams. */
function awsEvents(...events: readonly (readonly [name: string, payload: string])[]): Buffer {
  return Buffer.concat(events.map(([name, payload]) => encodeAwsMessage(name, payload)));
}

/** Providers with an answer that has a call, whole and as a stream. */
const SERVED: readonly (readonly [ProviderFormat, string, string | Buffer])[] = [
  [
    chat,
    `{"id":"a","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${QUOTED}}}]}}]}`,
    `data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":${QUOTED}}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`,
  ],
  [
    { ...chat, name: "openai-chat with arguments as objects" },
    `{"id":"a","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${NUMBERS}}}]}}]}`,
    `data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":${NUMBERS}}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`,
  ],
  [
    openAiResponses,
    `{"id":"a","status":"completed","output":[{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":${QUOTED}}]}`,
    `data: {"type":"response.created","response":{"id":"a"}}\n\ndata: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"i","call_id":"c","name":"f","arguments":""}}\n\ndata: {"type":"response.function_call_arguments.delta","output_index":0,"item_id":"i","delta":${QUOTED}}\n\ndata: {"type":"response.completed","response":{"id":"a","status":"completed","output":[]}}\n\n`,
  ],
  [
    messages,
    `{"id":"a","type":"message","role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${NUMBERS}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
    `event: message_start\ndata: {"type":"message_start","message":{"id":"a"}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":${NUMBERS}}}\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\nevent: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
  ],
  [
    geminiContent,
    `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"f","args":${NUMBERS}}}]},"finishReason":"STOP"}]}`,
    `data: {"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"f","args":${NUMBERS}}}]},"finishReason":"STOP"}]}\n\n`,
  ],
  [
    BEDROCK,
    `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c","name":"f","input":${NUMBERS}}}]}},"stopReason":"tool_use"}`,
    awsEvents(
      ["messageStart", '{"role":"assistant"}'],
      ["contentBlockStart", '{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"c","name":"f"}}}'],
      ["contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":${QUOTED}}}}`],
      ["contentBlockStop", '{"contentBlockIndex":0}'],
      ["messageStop", '{"stopReason":"tool_use"}'],
    ),
  ],
  [
    cohereChat,
    `{"id":"a","finish_reason":"TOOL_CALL","message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${QUOTED}}}]}}`,
    `data: {"type":"message-start","id":"a"}\n\ndata: {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c","type":"function","function":{"name":"f","arguments":${QUOTED}}}}}}\n\ndata: {"type":"tool-call-end","index":0}\n\ndata: {"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}\n\n`,
  ],
  [
    hunyuanChat,
    `{"Response":{"Id":"a","Choices":[{"FinishReason":"tool_calls","Message":{"Role":"assistant","ToolCalls":[{"Id":"c","Type":"function","Function":{"Name":"f","Arguments":${QUOTED}}}]}}]}}`,
    `data: {"Id":"a","Choices":[{"Delta":{"ToolCalls":[{"Index":0,"Id":"c","Type":"function","Function":{"Name":"f","Arguments":${QUOTED}}}]},"FinishReason":"tool_calls"}]}\n\n`,
  ],
  [
    ollamaChat,
    `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":${NUMBERS}}}]},"done":true,"done_reason":"stop"}`,
    `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":${NUMBERS}}}]},"done":true,"done_reason":"stop"}\n`,
  ],
];

/** The text without the escapes of nested texts. */
function plain(text: string): string {
  return text.replaceAll("\\", "");
}

function translate(caller: Format, body: string, provider: ProviderFormat) {
  const translation = createThroughNeutral(caller, provider, { countText: () => 1, nowSeconds: () => 1 });
  const parsed: ParsedRequest = {
    ...ownRequest("chat-completions", { model: "m", messages: [{ role: "user", content: "Hi" }] }),
    format: caller,
    body: readBody(Buffer.from(body)),
  };
  const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
  return { translation, parsed, sent: translation.writeRequest(parsed, edits).body.toString() };
}

describe("numbers that JavaScript would rewrite", () => {
  for (const [caller, body] of ASKED) {
    for (const [provider, whole, streamed] of SERVED) {
      it(`pass unchanged from ${caller.name} to ${provider.name} and back`, () => {
        const { translation, parsed, sent } = translate(caller, body, provider);
        const said = plain(sent);
        assert.equal(said.split(NUMBERS).length - 1, 2, sent);
        assert.ok(/"minimum":1\.0[,}]/.test(said) && /"maximum":12345678901234567890[,}]/.test(said), sent);
        assert.ok(/"default":1e3[,}]/.test(said), sent);
        const read = translation.readAnswer(parsed, 200, {}, Buffer.from(whole));
        assert.ok(read.ok, JSON.stringify(read));
        assert.ok(plain(read.bytes.toString()).includes(NUMBERS), read.bytes.toString());
        const opened = translation.openStream(parsed);
        const pieces = [opened.push(Buffer.from(streamed)), opened.finish(), opened.writeUsage?.(NO_USAGE)];
        const text = pieces.map((piece) => piece?.toString() ?? "").join("");
        assert.ok(plain(text).includes(NUMBERS), text);
      });
    }
  }
});
