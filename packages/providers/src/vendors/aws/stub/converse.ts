import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { signThought } from "../../../stub-kit/sign-thought.ts";
import { withoutMarkers } from "../../../stub-kit/markers.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import {
  composeAnswer,
  demandedToolCall,
  fillerWord,
  splitArguments,
  type ToolCall,
} from "../../../stub-kit/compose-answer.ts";
import { countChatPromptTokens, promptText } from "../../../stub-kit/prompt.ts";
import { AWS_MESSAGES } from "./aws-messages.ts";
import { checkConverse } from "./check-converse.ts";

const THOUGHT = "They want an answer.";

interface Composed {
  readonly thinks: boolean;
  readonly pieces: readonly string[];
  readonly call: ToolCall | undefined;
  /** Undefined when the behaviour hides it. */
  readonly stopReason: string | undefined;
  readonly usage: JsonObject | undefined;
}

export function converse(call: Call): Reply {
  const { path, params, body, settings } = call;
  const { model = "" } = params;
  if (settings.refuseUnknownModels && !settings.models.includes(model))
    throw new RequestRefused(400, openAiErrorBody("The provided model identifier is invalid."));
  checkConverse(body);
  const composed = compose(call);
  const { stopReason, usage } = composed;
  const toJson = (): JsonReply => ({
    kind: "json",
    body: {
      output: { message: { role: "assistant", content: contentOf(composed) } },
      stopReason,
      ...(usage && { usage }),
      metrics: { latencyMs: 5 },
    },
    tokens: composed.call === undefined ? composed.pieces.length : 1,
  });
  if (!path.endsWith("-stream")) return toJson();
  return { kind: "stream", framing: AWS_MESSAGES, events: events(call, composed), toJson };
}

function compose({ id, body, behaviour, settings }: Call): Composed {
  const said = promptText(body) || resultText(body);
  const call = demandedToolCall(asOpenAi(body), withoutMarkers(said), id, behaviour);
  const inference = isJsonObject(body["inferenceConfig"]) ? body["inferenceConfig"] : {};
  const answer = composeAnswer(said, countField(inference, "maxTokens", 1), behaviour, settings.seed);
  const reasons = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" } as const;
  const reason =
    answer.finishReason === null ? undefined : reasons[call === undefined ? answer.finishReason : "tool_calls"];
  const prompt = countChatPromptTokens(body);
  const cached = Math.min(behaviour.cachedTokens ?? 0, prompt);
  const written = call === undefined ? answer.pieces.length : 1;
  const counted = {
    inputTokens: prompt - cached,
    outputTokens: written,
    totalTokens: prompt + written,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: 0,
  };
  const more = isJsonObject(body["additionalModelRequestFields"]) ? body["additionalModelRequestFields"] : {};
  const thinking = isJsonObject(more["thinking"]) ? more["thinking"]["type"] : "disabled";
  const usage = reportUsage(counted, behaviour);
  return { thinks: thinking !== "disabled", pieces: answer.pieces, call, stopReason: reason, usage };
}

function resultText(body: JsonObject): string {
  const last = listField(body, "messages").at(-1);
  const results = isJsonObject(last) ? listField(last, "content") : [];
  return results
    .flatMap((block) =>
      isJsonObject(block) && isJsonObject(block["toolResult"]) ? listField(block["toolResult"], "content") : [],
    )
    .map((part) => (isJsonObject(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const config = isJsonObject(body["toolConfig"]) ? body["toolConfig"] : {};
  const choice = isJsonObject(config["toolChoice"]) ? config["toolChoice"] : {};
  const tools = listField(config, "tools").flatMap((tool) => {
    const spec = isJsonObject(tool) ? tool["toolSpec"] : undefined;
    if (!isJsonObject(spec)) return [];
    const schema = isJsonObject(spec["inputSchema"]) ? spec["inputSchema"]["json"] : undefined;
    return [{ function: { name: spec["name"], parameters: schema } }];
  });
  const named = choice["tool"];
  return {
    tools,
    tool_choice: named === undefined ? (choice["any"] === undefined ? undefined : "required") : { function: named },
  };
}

function contentOf({ thinks, pieces, call }: Composed): readonly JsonObject[] {
  const thought = { reasoningContent: { reasoningText: { text: THOUGHT, signature: signThought(THOUGHT) } } };
  const parsed: unknown = call === undefined ? undefined : JSON.parse(call.arguments);
  const said =
    call === undefined
      ? { text: pieces.join("") }
      : { toolUse: { toolUseId: call.id, name: call.name, input: parsed } };
  return [...(thinks ? [thought] : []), said];
}

function event(name: string, fields: JsonObject, part: StreamEvent["part"], tokens = 0): StreamEvent {
  // Amazon pads its events to hide their lengths.
  return { name, data: JSON.stringify({ ...fields, p: "abcdefgh" }), part, tokens };
}

function* events({ behaviour, settings }: Call, composed: Composed): Generator<StreamEvent> {
  const { thinks, pieces, call, stopReason, usage } = composed;
  yield event("messageStart", { role: "assistant" }, "opening");
  const delta = (contentBlockIndex: number, content: JsonObject, part: StreamEvent["part"], tokens = 0) =>
    event("contentBlockDelta", { contentBlockIndex, delta: content }, part, tokens);
  if (thinks) {
    yield delta(0, { reasoningContent: { text: THOUGHT } }, "opening");
    yield delta(0, { reasoningContent: { signature: signThought(THOUGHT) } }, "opening");
    yield event("contentBlockStop", { contentBlockIndex: 0 }, "opening");
  }
  const index = thinks ? 1 : 0;
  if (call === undefined) {
    for (const text of pieces) yield delta(index, { text }, "piece", 1);
    for (let position = 0; behaviour.kind === "endless"; position += 1) {
      const text =
        behaviour.chunkBytes === undefined
          ? fillerWord(position, settings.seed)
          : " ".padEnd(behaviour.chunkBytes, "x");
      yield delta(index, { text }, "piece", 1);
    }
  } else {
    const start = { toolUse: { toolUseId: call.id, name: call.name } };
    yield event("contentBlockStart", { contentBlockIndex: index, start }, "piece", 1);
    for (const input of splitArguments(call.arguments)) yield delta(index, { toolUse: { input } }, "opening");
  }
  yield event("contentBlockStop", { contentBlockIndex: index }, "finish");
  if (stopReason !== undefined) yield event("messageStop", { stopReason }, "finish");
  if (usage !== undefined) yield event("metadata", { usage, metrics: { latencyMs: 5 } }, "usage");
}
