import type { Format } from "../../format.ts";
import { NAMES_OF_64 } from "../../neutral/fit/name-rule.ts";
import { openAiFormat } from "../openai/openai-format.ts";
import { readAnswer, writeAnswer } from "./answer.ts";
import { OpenAiStreamDecoder } from "./decode-stream.ts";
import { OpenAiStreamEncoder } from "./encode-stream.ts";
import { OPENAI, type OpenAiChatVariant } from "./openai-chat-variant.ts";
import { readRequest } from "./read-request.ts";
import { writeRequest } from "./write-request.ts";

export function openAiChat(own: Partial<OpenAiChatVariant> = {}): Format {
  const variant = { ...OPENAI, ...own };
  return openAiFormat("openai-chat", variant, {
    limits: { toolNames: NAMES_OF_64, callIds: variant.callIds, hasObjectTools: true, hasObjectAnswers: true },
    readRequest,
    writeRequest: (request) => writeRequest(request, variant),
    readAnswer: (answer) => readAnswer(answer, variant.origin),
    writeAnswer,
    decode: () => new OpenAiStreamDecoder(variant.origin),
    encode: (envelope) => new OpenAiStreamEncoder(envelope),
  });
}
