import { composeAnswer } from "./compose-answer.ts";
import { chunkWriter, completionHead } from "./completion-head.ts";
import type { CompletionHead } from "./completion-head.ts";
import { countInputTokens } from "./count-prompt-tokens.ts";
import { asksForUsage, replyWith } from "./generation.ts";
import type { GenerationFormat } from "./generation.ts";
import { countField } from "./json-fields.ts";
import { inputTexts } from "./prompt-text.ts";
import { readChoiceCount } from "./read-choice-count.ts";
import { readModel } from "./read-model.ts";
import type { Call, Reply } from "./reply.ts";

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
  return replyWith({ choices, promptTokens }, textFormat(head, asksForUsage(body)), call);
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
