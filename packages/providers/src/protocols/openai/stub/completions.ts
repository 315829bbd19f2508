import { readModel } from "../../../stub-kit/read-model.ts";
import { type Answer, composeAnswer, composeReply, type ToolCall } from "../../../stub-kit/compose-answer.ts";
import {
  chunkWriter,
  completionHead,
  type CompletionHead,
  type GenerationFormat,
  readChoiceCount,
  replyWith,
  reportsUsage,
} from "./generation.ts";
import { countChatPromptTokens, countInputTokens, inputTexts, promptText } from "../../../stub-kit/prompt.ts";
import { countField, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { writeChatLogprobs, writeCompletionLogprobs, type WantedTokens, wantedByChat } from "./logprobs.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import type { Call, Reply } from "../../../stub-kit/call.ts";

export function chatCompletions(call: Call): Reply {
  const model = readModel(call);
  const { body, settings } = call;
  if (listField(body, "messages").length === 0)
    refuse("'messages' must be a list with at least one message.", { param: "messages" });
  const maxTokens = countField(body, "max_completion_tokens", 0) ?? countField(body, "max_tokens", 0);
  const { toolCall, ...answer } = composeReply(call, promptText(body), body, maxTokens);
  const choices = Array.from({ length: readChoiceCount(body) }, () => answer);
  const head = completionHead(`chatcmpl-${call.id}`, "chat.completion", model, settings.seed);
  const wanted = wantedByChat(body);
  const format = chatFormat(head, toolCall, toolCall === undefined ? wanted : undefined, reportsUsage(call));
  return replyWith({ choices, promptTokens: countChatPromptTokens(body) }, format, call);
}

function chatFormat(
  head: CompletionHead,
  toolCall: ToolCall | undefined,
  wanted: WantedTokens,
  withUsage: boolean,
): GenerationFormat {
  const chunk = chunkWriter({ ...head, object: "chat.completion.chunk" }, withUsage);
  const choiceChunk = (index: number, delta: string, finishReason = "null", logprobs = "null"): string =>
    chunk(`{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${finishReason}}`);
  const write = (pieces: readonly string[]) => writeChatLogprobs(pieces, wanted);
  return {
    opening: (index) => choiceChunk(index, openingDelta(index, toolCall)),
    piece: (index, text) => choiceChunk(index, pieceDelta(text, toolCall), "null", JSON.stringify(write([text]))),
    finish: (index, reason) => choiceChunk(index, "{}", JSON.stringify(reason)),
    usage: (usage) => chunk("", JSON.stringify(usage)),
    document: (choices, usage) => ({
      ...head,
      choices: choices.map((choice, index) => ({
        index,
        message: message(choice, index, toolCall),
        logprobs: write(choice.pieces),
        finish_reason: choice.finishReason,
      })),
      ...(usage && { usage }),
      service_tier: "default",
    }),
  };
}

function openingDelta(index: number, toolCall: ToolCall | undefined): string {
  if (toolCall === undefined) return '{"role":"assistant","content":"","refusal":null}';
  const call = { index: 0, ...callOf(toolCall, index, "") };
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
  const said =
    toolCall === undefined ? { content: text } : { content: null, tool_calls: [callOf(toolCall, index, text)] };
  return { role: "assistant", ...said, refusal: null, annotations: [] };
}

function callOf({ id, name }: ToolCall, index: number, input: string): object {
  return { id: `${id}${index}`, type: "function", function: { name, arguments: input } };
}

/** Each prompt of a list gets `n` choices, in the order of the prompts. */
export function completions(call: Call): Reply {
  const model = readModel(call);
  const { body, settings } = call;
  const behaviour = { ...call.behaviour, reasoningTokens: 0 };
  const prompts = inputTexts(body["prompt"]);
  const copies = readChoiceCount(body);
  const prompted = (prompts.length === 0 ? [""] : prompts).flatMap((prompt) => {
    const answer = composeAnswer(prompt, countField(body, "max_tokens", 0), behaviour, settings.seed);
    return Array.from({ length: copies }, () => ({ prompt, answer }));
  });
  const choices = prompted.map(({ answer }) => answer);
  const write = createLogprobsWriter(
    prompted.map(({ prompt }) => prompt),
    countField(body, "logprobs", 0),
  );
  const head = completionHead(`cmpl-${call.id}`, "text_completion", model, settings.seed);
  const promptTokens = countInputTokens(body["prompt"]);
  return replyWith({ choices, promptTokens }, textFormat(head, write, reportsUsage(call)), call);
}

type LogprobsWriter = (choice: number, pieces: readonly string[]) => JsonObject | null;

/** Continues the offsets of each choice, which start behind its prompt. */
function createLogprobsWriter(prompts: readonly string[], wanted: WantedTokens): LogprobsWriter {
  const offsets = prompts.map((prompt) => Array.from(prompt).length);
  return (choice, pieces) => {
    const offset = offsets[choice] ?? 0;
    offsets[choice] = offset + Array.from(pieces.join("")).length;
    return writeCompletionLogprobs(pieces, wanted, offset);
  };
}

function textFormat(head: CompletionHead, write: LogprobsWriter, withUsage: boolean): GenerationFormat {
  const chunk = chunkWriter(head, withUsage);
  const choiceChunk = (index: number, text: string, finishReason: string | null, logprobs: JsonObject | null): string =>
    chunk(JSON.stringify({ text, index, logprobs, finish_reason: finishReason }));
  return {
    opening: () => null,
    piece: (index, text) => choiceChunk(index, text, null, write(index, [text])),
    finish: (index, reason) => choiceChunk(index, "", reason, null),
    usage: (usage) => chunk("", JSON.stringify(usage)),
    document: (choices, usage) => ({
      ...head,
      choices: choices.map((choice, index) => ({
        text: choice.pieces.join(""),
        index,
        logprobs: write(index, choice.pieces),
        finish_reason: choice.finishReason,
      })),
      ...(usage && { usage }),
    }),
  };
}
