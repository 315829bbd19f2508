import { withoutMarkers } from "../parse-behaviour.ts";
import {
  type Answer,
  composeAnswer,
  demandedToolCall,
  limitAnswer,
  splitArguments,
  type ToolCall,
} from "./compose-answer.ts";
import {
  chunkWriter,
  completionHead,
  type CompletionHead,
  type GenerationFormat,
  readChoiceCount,
  readModel,
  replyWith,
  reportsUsage,
} from "./generation.ts";
import { countChatPromptTokens, countInputTokens, inputTexts, promptText } from "./prompt.ts";
import { countField, listField } from "../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../refusal.ts";
import type { Call, Reply } from "../reply.ts";

/** POST /v1/chat/completions. */
export function chatCompletions(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour, settings } = call;
  if (listField(body, "messages").length === 0) {
    throw new RequestRefused(
      400,
      openAiErrorBody("'messages' must be a list with at least one message.", { param: "messages" }),
    );
  }
  const said = promptText(body);
  const maxTokens = countField(body, "max_completion_tokens", 0) ?? countField(body, "max_tokens", 0);
  const toolCall = demandedToolCall(body, withoutMarkers(said), call.id, behaviour.callTool ?? false);
  const answer =
    toolCall === undefined
      ? composeAnswer(said, maxTokens, behaviour, settings.seed)
      : limitAnswer(splitArguments(toolCall.arguments), "tool_calls", maxTokens, behaviour);
  const choices = Array.from({ length: readChoiceCount(body) }, () => answer);
  const head = completionHead(`chatcmpl-${call.id}`, "chat.completion", model, settings.seed);
  const format = chatFormat(head, toolCall, reportsUsage(call));
  return replyWith({ choices, promptTokens: countChatPromptTokens(body) }, format, call);
}

function chatFormat(head: CompletionHead, toolCall: ToolCall | undefined, withUsage: boolean): GenerationFormat {
  const chunk = chunkWriter({ ...head, object: "chat.completion.chunk" }, withUsage);
  const choiceChunk = (index: number, delta: string, finishReason = "null"): string =>
    chunk(`{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}`);
  return {
    opening: (index) => choiceChunk(index, openingDelta(index, toolCall)),
    piece: (index, text) => choiceChunk(index, pieceDelta(text, toolCall)),
    finish: (index, reason) => choiceChunk(index, "{}", JSON.stringify(reason)),
    usage: (usage) => chunk("", JSON.stringify(usage)),
    document: (choices, usage) => ({
      ...head,
      choices: choices.map((choice, index) => ({
        index,
        message: message(choice, index, toolCall),
        logprobs: null,
        finish_reason: choice.finishReason,
      })),
      ...(usage && { usage }),
      service_tier: "default",
    }),
  };
}

function openingDelta(index: number, toolCall: ToolCall | undefined): string {
  if (toolCall === undefined) return '{"role":"assistant","content":"","refusal":null}';
  const call = {
    index: 0,
    id: `${toolCall.id}${index}`,
    type: "function",
    function: { name: toolCall.name, arguments: "" },
  };
  return JSON.stringify({ role: "assistant", content: null, tool_calls: [call], refusal: null });
}

function pieceDelta(text: string, toolCall: ToolCall | undefined): string {
  const json = JSON.stringify(text);
  return toolCall === undefined
    ? `{"content":${json}}`
    : `{"tool_calls":[{"index":0,"function":{"arguments":${json}}}]}`;
}

function message(answer: Answer, index: number, toolCall: ToolCall | undefined): object {
  const text = answer.pieces.join("");
  if (toolCall === undefined) return { role: "assistant", content: text, refusal: null, annotations: [] };
  const call = { id: `${toolCall.id}${index}`, type: "function", function: { name: toolCall.name, arguments: text } };
  return { role: "assistant", content: null, tool_calls: [call], refusal: null, annotations: [] };
}

/** POST /v1/completions; each prompt of a list gets `n` choices, in the order of the prompts. */
export function completions(call: Call): Reply {
  const model = readModel(call);
  const { body, settings } = call;
  const behaviour = { ...call.behaviour, reasoningTokens: 0 };
  const prompts = inputTexts(body["prompt"]);
  const copies = readChoiceCount(body);
  const choices = (prompts.length === 0 ? [""] : prompts).flatMap((prompt) => {
    const answer = composeAnswer(prompt, countField(body, "max_tokens", 0), behaviour, settings.seed);
    return Array.from({ length: copies }, () => answer);
  });
  const head = completionHead(`cmpl-${call.id}`, "text_completion", model, settings.seed);
  const promptTokens = countInputTokens(body["prompt"]);
  return replyWith({ choices, promptTokens }, textFormat(head, reportsUsage(call)), call);
}

function textFormat(head: CompletionHead, withUsage: boolean): GenerationFormat {
  const chunk = chunkWriter(head, withUsage);
  const choiceChunk = (index: number, text: string, finishReason: string | null): string =>
    chunk(JSON.stringify({ text, index, logprobs: null, finish_reason: finishReason }));
  return {
    opening: () => null,
    piece: (index, text) => choiceChunk(index, text, null),
    finish: (index, reason) => choiceChunk(index, "", reason),
    usage: (usage) => chunk("", JSON.stringify(usage)),
    document: (choices, usage) => ({
      ...head,
      choices: choices.map((choice, index) => ({
        text: choice.pieces.join(""),
        index,
        logprobs: null,
        finish_reason: choice.finishReason,
      })),
      ...(usage && { usage }),
    }),
  };
}
