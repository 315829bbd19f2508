import type { ProviderFormat } from "../../format.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";
import { readAnswer, readUsage } from "../../protocols/rerank/read-rerank.ts";
import { recordOf } from "../../shared/json-fields.ts";

/** Alibaba's own API for its older models. Source: https://help.aliyun.com/en/model-studio/text-rerank-api */
export const dashScopeRerank: ProviderFormat = {
  name: "dashscope-rerank",
  readUsage,
  carriesError,
  readError,
  chat: undefined,
  rerank: {
    writeRequest({ model, query, documents, topN, foreign }) {
      const parameters = { return_documents: false, ...(topN !== undefined && { top_n: topN }) };
      return { body: { model, input: { query, documents }, parameters }, dropped: foreign };
    },
    readAnswer: (answer) => {
      const { request_id: id, usage, output } = answer;
      return readAnswer({ id, usage, results: recordOf(output).results });
    },
  },
};
