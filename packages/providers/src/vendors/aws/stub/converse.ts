import { type StreamEvent, streamEvent } from "../../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../../stub-kit/chat-endpoint.ts";
import { hidesFinish, piecesOf, splitArguments } from "../../../stub-kit/compose-answer.ts";
import {
  countField,
  isJsonObject,
  type JsonObject,
  listField,
  objectField,
  objectsField,
} from "../../../stub-kit/json-fields.ts";
import { contentText, countChatPromptTokens, promptText } from "../../../stub-kit/prompt.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { cachedOf } from "../../../stub-kit/report-usage.ts";
import { signThought, THOUGHT } from "../../../stub-kit/thought.ts";
import { AWS_MESSAGES } from "./aws-messages.ts";
import { checkConverse } from "./check-converse.ts";

const METRICS = { metrics: { latencyMs: 5 } };

export const converse = chatEndpoint({
  check({ params: { model = "" }, body, settings }) {
    if (settings.refuseUnknownModels && !settings.models.includes(model))
      refuse("The provided model identifier is invalid.");
    checkConverse(body);
  },
  isStream: ({ path }) => path.endsWith("-stream"),
  framing: AWS_MESSAGES,
  said: (body) => promptText(body) || resultText(body),
  asked: asOpenAi,
  limit: (body) => countField(objectField(body, "inferenceConfig"), "maxTokens", 1),
  reasons: { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" },
  usage({ body, behaviour }, written) {
    const prompt = countChatPromptTokens(body);
    const cached = cachedOf(prompt, behaviour);
    return {
      inputTokens: prompt - cached,
      outputTokens: written,
      totalTokens: prompt + written,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: 0,
    };
  },
  document: (answer) => ({
    output: { message: { role: "assistant", content: contentOf(answer) } },
    stopReason: stopReasonOf(answer),
    ...(answer.usage && { usage: answer.usage }),
    ...METRICS,
  }),
  events,
});

function stopReasonOf({ call, finish }: ChatAnswer): string | undefined {
  return hidesFinish(call.behaviour) ? undefined : finish;
}

function thinks({ call }: ChatAnswer): boolean {
  const { thinking } = objectField(call.body, "additionalModelRequestFields");
  return isJsonObject(thinking) && thinking["type"] !== "disabled";
}

function resultText(body: JsonObject): string {
  const last = objectsField(body, "messages").at(-1) ?? {};
  const results = objectsField(last, "content").map((block) => objectField(block, "toolResult"));
  return results
    .flatMap((result) => listField(result, "content"))
    .map((part) => contentText([part]))
    .join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const config = objectField(body, "toolConfig");
  const { tool, any } = objectField(config, "toolChoice");
  const tools = objectsField(config, "tools").map((each) => {
    const spec = objectField(each, "toolSpec");
    return { function: { name: spec["name"], parameters: objectField(spec, "inputSchema")["json"] } };
  });
  const choice = any === undefined ? undefined : "required";
  return { tools, tool_choice: tool === undefined ? choice : { function: tool } };
}

function contentOf(answer: ChatAnswer): readonly JsonObject[] {
  const { text, toolCall } = answer;
  const thought = { reasoningContent: { reasoningText: { text: THOUGHT, signature: signThought(THOUGHT) } } };
  const said =
    toolCall === undefined
      ? { text }
      : { toolUse: { toolUseId: toolCall.id, name: toolCall.name, input: parsed(toolCall.arguments) } };
  return [...(thinks(answer) ? [thought] : []), said];
}

function parsed(json: string): unknown {
  return JSON.parse(json);
}

/** Amazon pads its events to hide their lengths. */
function event(name: string, part: StreamEvent["part"], fields: JsonObject): StreamEvent {
  return streamEvent(part, { ...fields, p: "abcdefgh" }, { name });
}

function* events(answer: ChatAnswer): Generator<StreamEvent> {
  const { call, pieces, toolCall, usage } = answer;
  const stopReason = stopReasonOf(answer);
  const delta = (part: StreamEvent["part"], contentBlockIndex: number, content: JsonObject) =>
    event("contentBlockDelta", part, { contentBlockIndex, delta: content });
  yield event("messageStart", "opening", { role: "assistant" });
  if (thinks(answer)) {
    yield delta("opening", 0, { reasoningContent: { text: THOUGHT } });
    yield delta("opening", 0, { reasoningContent: { signature: signThought(THOUGHT) } });
    yield event("contentBlockStop", "opening", { contentBlockIndex: 0 });
  }
  const index = thinks(answer) ? 1 : 0;
  if (toolCall === undefined) {
    for (const text of piecesOf(call, pieces)) yield delta("piece", index, { text });
  } else {
    const start = { toolUse: { toolUseId: toolCall.id, name: toolCall.name } };
    yield event("contentBlockStart", "piece", { contentBlockIndex: index, start });
    for (const input of splitArguments(toolCall.arguments)) yield delta("opening", index, { toolUse: { input } });
  }
  yield event("contentBlockStop", "finish", { contentBlockIndex: index });
  if (stopReason !== undefined) yield event("messageStop", "finish", { stopReason });
  if (usage !== undefined) yield event("metadata", "usage", { usage, ...METRICS });
}
