import type { Format } from "../../../format.ts";
import type { AskedChat } from "../../../format-sides.ts";
import { openAiFormat } from "../../openai/openai-format.ts";
import { OPENAI } from "../openai-chat-variant.ts";
import { writeAnswer } from "./answer.ts";
import { CompletionStreamEncoder } from "./encode-stream.ts";
import { readRequest } from "./read-request.ts";

const askedChat: AskedChat = {
  readRequest,
  writeAnswer,
  encode: (envelope) => new CompletionStreamEncoder(envelope),
};

/** OpenAI's completions for callers. Providers that only have chats receive the prompt as a user message. */
export const openAiCompletions: Format = { ...openAiFormat("openai-completions", OPENAI), askedChat };
