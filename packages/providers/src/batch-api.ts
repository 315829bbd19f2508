import { type JsonRecord, listOf, recordOf } from "./shared/json-fields.ts";

/** How a provider answers files of requests later. The files themselves are at OpenAI's path `/files`, behind the provider's `keeperAddress`. */
export interface BatchApi {
  /** What being in a batch multiplies the price of a model by; undefined where it has no batches of it. */
  priceFactor(model: string): number | undefined;
  /** Where batches are made and listed, after the version; each is behind its id, and is ended at `cancel` behind that. */
  readonly path: string;
  /** A line of the input file; `line.body` is a JSON object. */
  writeLine(line: WrittenLine): string;
  /** What makes a batch of an uploaded file. */
  writeJob(job: BatchJob): JsonRecord;
  /** What the provider says of a batch, in OpenAI's words: https://platform.openai.com/docs/api-reference/batch/object */
  readBatch(job: JsonRecord): JsonRecord;
  /** Asks for a page of the list, the newest first; `last` is the id of the last batch of the page before. */
  listQuery(page: number, last: string): Readonly<Record<string, string>>;
  readList(answer: JsonRecord): BatchList;
}

/** What a line of an input file holds. */
interface WrittenLine {
  readonly customId: string;
  /** The path of the API, as OpenAI has it. */
  readonly endpoint: string;
  readonly body: string;
}

/** A batch that is to be made. */
export interface BatchJob {
  readonly fileId: string;
  readonly endpoint: string;
  /** By the provider's name; all lines have the same. */
  readonly model: string;
  readonly completionWindow: string;
  readonly metadata: JsonRecord | undefined;
}

/** A page of a list. */
interface BatchList {
  /** In the provider's words. */
  readonly jobs: readonly JsonRecord[];
  readonly hasMore: boolean;
}

/** So many are asked for at once. */
const PAGE_LENGTH = 100;

/** Batches as OpenAI has them, with what they cost: https://platform.openai.com/docs/api-reference/batch */
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
