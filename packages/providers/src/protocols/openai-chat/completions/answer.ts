import type { AnswerEnvelope } from "../../../format-sides.ts";
import type { ChatAnswer, ChatChoice, Finish } from "../../../neutral/chat-answer.ts";
import { shownText } from "../../../neutral/message-part.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";
import { writeUsage } from "../../openai/write-usage.ts";
import { writeFinish } from "../answer.ts";
import { lettersOfPrompt, writeLogprobs } from "./logprobs.ts";

/** Source: https://platform.openai.com/docs/api-reference/completions/object */
export function writeAnswer(answer: ChatAnswer, envelope: AnswerEnvelope): JsonRecord {
  return {
    ...writeHead(answer.id, answer.model, envelope),
    choices: answer.choices.map(({ parts, finish, logprobs }, index) => ({
      ...writeChoice(index, textOf(parts), finish, envelope),
      logprobs: writeLogprobs(logprobs, lettersOfPrompt(envelope.request)),
    })),
    usage: answer.usage === undefined ? undefined : writeUsage(answer.usage),
  };
}

export function writeHead(id: string, model: string, { created }: AnswerEnvelope): JsonRecord {
  return { id: id.startsWith("cmpl") ? id : `cmpl-${id}`, object: "text_completion", created, model };
}

/** A choice or a delta of one, which has no finish reason. */
export function writeChoice(
  index: number,
  text: string,
  finish: Finish | undefined,
  envelope: AnswerEnvelope,
): JsonRecord {
  return { text, index, logprobs: null, finish_reason: finish === undefined ? null : writeFinish(finish, envelope) };
}

function textOf(parts: ChatChoice["parts"]): string {
  return parts.map((part) => (part.type === "refusal" ? part.text : (shownText(part) ?? ""))).join("");
}
