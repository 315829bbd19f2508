import { type JsonRecord, listOf, recordOf } from "./shared/json-fields.ts";

/** Batches of a provider: files of requests that it answers later. The files are at OpenAI's path `/files`, behind `keeperAddress`. */
export interface BatchApi {
  /** Returns the price factor of a model in a batch; undefined where the provider has no batches for it. */
  priceFactor(model: string): number | undefined;
  /** Path of the list, after the version. A batch is at its id below it, and is cancelled at `cancel` below the id. */
  readonly path: string;
  /** Writes a line of the input file; `line.body` is a JSON object. */
  writeLine(line: WrittenLine): string;
  writeJob(job: BatchJob): JsonRecord;
  /** Converts a batch to OpenAI's format: https://platform.openai.com/docs/api-reference/batch/object */
  readBatch(job: JsonRecord): JsonRecord;
  /** Returns the query of a page, newest first; `last` is the id of the last batch on the previous page. */
  listQuery(page: number, last: string): Readonly<Record<string, string>>;
  readList(answer: JsonRecord): BatchList;
}

interface WrittenLine {
  readonly customId: string;
  readonly endpoint: string;
  readonly body: string;
}

export interface BatchJob {
  readonly fileId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly completionWindow: string;
  readonly metadata: JsonRecord | undefined;
}

interface BatchList {
  /** In the provider's format. */
  readonly jobs: readonly JsonRecord[];
  readonly hasMore: boolean;
}

const PAGE_LENGTH = 100;

/** Batches in OpenAI's format: https://platform.openai.com/docs/api-reference/batch */
export function openAiBatches(priceFactor: BatchApi["priceFactor"]): BatchApi {
  return {
    priceFactor,
    path: "/batches",
    writeLine: ({ customId, endpoint, body }) =>
      `{"custom_id":${JSON.stringify(customId)},"method":"POST","url":${JSON.stringify(endpoint)},"body":${body}}`,
    writeJob: ({ fileId, endpoint, completionWindow, metadata }) => ({
      input_file_id: fileId,
      endpoint,
      completion_window: completionWindow,
      ...(metadata !== undefined && { metadata }),
    }),
    readBatch: (job) => job,
    listQuery: (_page, last) => ({ limit: String(PAGE_LENGTH), ...(last !== "" && { after: last }) }),
    readList: ({ data, has_more: more }) => ({ jobs: listOf(data).map(recordOf), hasMore: more === true }),
  };
}
