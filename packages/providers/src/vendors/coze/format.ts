import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder } from "../../format-sides.ts";
import type { ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import { type JsonRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { carriesError, failureOfCode, readError } from "./read-error.ts";
import { writeRequest } from "./write-request.ts";

/**
 * Chat with an agent (bot) of Coze, version 3. Only streams are immediate. The agent's own settings limit its answers. Sources:
 * https://www.coze.com/docs/developer_guides/chat_v3, https://www.coze.cn/docs/developer_guides/chat_v3
 */
export const cozeChat: ProviderFormat = {
  name: "coze-chat",
  readUsage,
  carriesError,
  readError,
  chat: { writeRequest, decode: () => new CozeDecoder(), isUnlimited: true },
};

function readUsage(chat: unknown): Usage | undefined {
  const { input_count: prompt, output_count: completion } = recordOf(recordOf(chat).usage);
  const promptTokens = numberOf(prompt) ?? 0;
  return promptTokens === 0 ? undefined : { ...NO_USAGE, promptTokens, completionTokens: numberOf(completion) ?? 0 };
}

const FINISH: Finish = { reason: "stop", stopSequence: "" };
const BETWEEN_MESSAGES = "\n\n";

/** Reads an agent's events. Its other actions (plugins, knowledge, suggested questions) are dropped. */
class CozeDecoder implements StreamDecoder {
  #message = "";

  read(name: string, data: string): readonly ChatEvent[] {
    const value = recordOf(parseJson(data));
    switch (name) {
      case "conversation.chat.created":
        return [{ type: "answer-start", id: textOf(value.id), model: "" }];
      case "conversation.message.delta":
        return isAnswer(value) ? this.#readPiece(value) : [];
      case "conversation.message.completed":
        // Cards and answers of workflows may arrive whole.
        return isAnswer(value) && textOf(value.id) !== this.#message ? this.#readPiece(value) : [];
      case "conversation.chat.completed":
        return readEnd(value);
      case "conversation.chat.failed":
        return [{ type: "error", failure: failureOfCode(recordOf(value.last_error)) }];
      case "conversation.chat.requires_action":
        return [
          { type: "error", failure: failureOfCode({ msg: "The agent waits for a plugin that runs on a device." }) },
        ];
      case "error":
        return [{ type: "error", failure: failureOfCode(value) }];
      case "done":
        return [{ type: "stream-end" }];
      default:
        return [];
    }
  }

  #readPiece({ id, content, reasoning_content: thought }: JsonRecord): readonly ChatEvent[] {
    const isNext = this.#message !== "" && textOf(id) !== this.#message;
    this.#message = textOf(id);
    const text = (isNext ? BETWEEN_MESSAGES : "") + textOf(content);
    return [
      ...(textOf(thought) === "" ? [] : [{ type: "reasoning-delta", choice: 0, text: textOf(thought) } as const]),
      ...(text === "" ? [] : [{ type: "text-delta", choice: 0, text } as const]),
    ];
  }
}

function isAnswer({ type, role }: JsonRecord): boolean {
  return type === "answer" && role !== "user";
}

function readEnd(chat: JsonRecord): readonly ChatEvent[] {
  const usage = readUsage(chat);
  return [
    { type: "answer-finish", choice: 0, finish: FINISH },
    ...(usage === undefined ? [] : [{ type: "usage-report", usage } as const]),
  ];
}
