import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder, WrittenRequest } from "../../format-sides.ts";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import type { ChatRequest } from "../../neutral/chat-request.ts";
import { refuseMedia } from "../../neutral/texts-alone.ts";
import { listOf, parseJson } from "../../shared/json-fields.ts";
import { readAnswer } from "../../protocols/openai-chat/answer.ts";
import { OpenAiStreamDecoder } from "../../protocols/openai-chat/decode-stream.ts";
import { OPENAI } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { writeRequest as writeOpenAi } from "../../protocols/openai-chat/write-request.ts";
import { readUsage } from "../../protocols/openai/read-usage.ts";
import { carriesError, readError } from "./read-error.ts";

/**
 * Chat of iFlytek's Spark, which is nearly OpenAI's. Answers have a code, streams have no finish reason, and calls are a list only on request.
 * Sources: https://www.xfyun.cn/doc/spark/HTTP调用文档.html, https://www.xfyun.cn/doc/spark/X1http.html
 */
export const sparkChat: ProviderFormat = {
  name: "spark-chat",
  readUsage: (answer) => readUsage(answer),
  carriesError,
  readError,
  results: { choices: "list" },
  chat: {
    writeRequest,
    readAnswer: (answer) => ({ ...readAnswer(answer), model: "" }),
    decode: () => new SparkStreamDecoder(),
  },
};

/** Models with a switch for thinking. */
const THINKING = /^(?:spark-x|x\d)/i;

function writeRequest(request: ChatRequest): WrittenRequest {
  refuseMedia(request.messages.flatMap(({ parts }) => parts));
  const variant = { limitField: "max_tokens", streamUsage: "always" } as const;
  const reasoning = THINKING.test(request.model) ? "thinking" : "none";
  const { body, dropped } = writeOpenAi(request, { ...OPENAI, ...variant, reasoning });
  return { body: listOf(body.tools).length === 0 ? body : { ...body, tool_calls_switch: true }, dropped };
}

class SparkStreamDecoder implements StreamDecoder {
  readonly #decoder = new OpenAiStreamDecoder();
  #hasCalls = false;
  #isFinished = false;

  read(name: string, data: string): readonly ChatEvent[] {
    if (carriesError(parseJson(data))) return [{ type: "error", failure: readError(200, {}, data) }];
    const events = this.#decoder.read(name, data).map((event) =>
      // Answers have an id, but no model.
      event.type === "answer-start" ? { ...event, model: "" } : event,
    );
    this.#hasCalls ||= events.some(({ type }) => type === "tool-call-start");
    this.#isFinished ||= events.some(({ type }) => type === "answer-finish");
    if (this.#isFinished || !events.some(({ type }) => type === "stream-end")) return events;
    const reason = this.#hasCalls ? "tool-calls" : "stop";
    return [{ type: "answer-finish", choice: 0, finish: { reason, stopSequence: "" } }, ...events];
  }
}
