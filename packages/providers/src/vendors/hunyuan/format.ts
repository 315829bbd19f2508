import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder, WrittenRequest } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { EmbeddingRequest } from "../../neutral/embedding.ts";
import { type JsonRecord, listOf, parseJson, recordOf } from "../../shared/json-fields.ts";
import { readAnswer } from "../../protocols/openai-chat/answer.ts";
import { OpenAiStreamDecoder } from "../../protocols/openai-chat/decode-stream.ts";
import { openAiEmbeddings } from "../../protocols/openai/embeddings.ts";
import { readUsage } from "../../protocols/openai/read-usage.ts";
import { fromTencentNames } from "./names.ts";
import { carriesError, readError } from "./read-error.ts";
import { writeRequest } from "./write-request.ts";

/** Tencent wraps whole answers, but not events of streams. */
function unwrapped(answer: unknown): JsonRecord {
  const record = recordOf(answer);
  return recordOf(fromTencentNames(record.Response ?? record));
}

/**
 * Chat of Tencent's cloud API, for three-part keys: OpenAI's format with Tencent's names. Source:
 * https://cloud.tencent.com/document/api/1729/105701
 */
export const hunyuanChat: ProviderFormat = {
  name: "hunyuan-chat",
  readUsage: (answer) => readUsage(unwrapped(answer)),
  carriesError: (answer) => carriesError(answer) || listOf(unwrapped(answer).choices).length === 0,
  readError,
  chat: {
    writeRequest,
    readAnswer: (answer) => ({ ...readAnswer(unwrapped(answer)), model: "" }),
    decode: () => new HunyuanStreamDecoder(),
    isUnlimited: true,
  },
};

class HunyuanStreamDecoder implements StreamDecoder {
  readonly #decoder = new OpenAiStreamDecoder();

  read(name: string, data: string): ReturnType<StreamDecoder["read"]> {
    const event = parseJson(data);
    if (carriesError(event)) return [{ type: "error", failure: readError(200, {}, data) }];
    return this.#decoder.read(name, event === undefined ? data : JSON.stringify(unwrapped(event)));
  }
}

/** Source: https://cloud.tencent.com/document/api/1729/102832 */
export const hunyuanEmbeddings: ProviderFormat = {
  name: "hunyuan-embeddings",
  readUsage: (answer) => readUsage(unwrapped(answer)),
  carriesError: (answer) => carriesError(answer) || listOf(unwrapped(answer).data).length === 0,
  readError,
  chat: undefined,
  embeddings: {
    writeRequest: writeEmbeddings,
    readAnswer: (answer) => openAiEmbeddings.readAnswer(unwrapped(answer)),
  },
};

const MAX_TEXTS = 50;

function writeEmbeddings({ inputs, dimensions, foreign }: EmbeddingRequest): WrittenRequest {
  if (inputs.length > MAX_TEXTS) {
    const message = `input holds ${inputs.length} texts, and the provider of this model takes ${MAX_TEXTS} at most: send them in several requests.`;
    throw new UntranslatableError("input", message);
  }
  return { body: { InputList: inputs }, dropped: [...foreign, ...(dimensions === undefined ? [] : ["dimensions"])] };
}
