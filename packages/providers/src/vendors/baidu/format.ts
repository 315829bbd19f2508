import type { ProviderFormat } from "../../format.ts";
import type { WrittenRequest } from "../../format-sides.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import type { EmbeddingRequest } from "../../neutral/embedding.ts";
import { openAiEmbeddings } from "../../protocols/openai/embeddings.ts";
import { readUsage } from "../../protocols/openai/read-usage.ts";
import { BaiduStreamDecoder, readAnswer } from "./answer.ts";
import { carriesError, readError } from "./read-error.ts";
import { writeRequest } from "./write-request.ts";

/** Chat of Baidu's older API, for two-part keys. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
export const baiduChat: ProviderFormat = {
  name: "baidu-chat",
  readUsage: (answer) => readUsage(answer),
  carriesError,
  readError,
  results: { result: "any", function_call: "record" },
  chat: { writeRequest, readAnswer, decode: () => new BaiduStreamDecoder() },
};

/** Embeddings of the older API, with OpenAI's answers. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu */
export const baiduEmbeddings: ProviderFormat = {
  name: "baidu-embeddings",
  readUsage: (answer) => readUsage(answer),
  carriesError,
  readError,
  results: { data: "list" },
  chat: undefined,
  embeddings: { writeRequest: writeEmbeddings, readAnswer: (answer) => openAiEmbeddings.readAnswer(answer) },
};

const MAX_TEXTS = 16;
const ONE_TEXT = /^tao-8k/i;

function writeEmbeddings({ model, inputs, dimensions, foreign }: EmbeddingRequest): WrittenRequest {
  const most = ONE_TEXT.test(model) ? 1 : MAX_TEXTS;
  if (inputs.length > most) {
    const message = `input holds ${inputs.length} texts, and the provider of this model takes ${most} at most: send them in several requests.`;
    throw new UntranslatableError("input", message);
  }
  return { body: { input: inputs }, dropped: [...foreign, ...(dimensions === undefined ? [] : ["dimensions"])] };
}
