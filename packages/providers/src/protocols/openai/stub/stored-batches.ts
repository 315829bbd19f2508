import type { StubSettings } from "../../../stub-kit/settings.ts";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, Endpoint, Reply } from "../../../stub-kit/call.ts";

/** Finds what answers one request of a batch. */
export type FindEndpoint = (method: string, path: string) => Endpoint | undefined;

/** A batch as the stub remembers it. */
export interface StubBatch {
  readonly id: string;
  readonly inputId: string;
  readonly about: JsonObject;
  /** What its metadata asks the stub for: `hang` until it is cancelled, `expire` or `fail`; completed on the second look without. */
  readonly course: unknown;
  status: string;
  looks: number;
  outputId: string | null;
  errorId: string | null;
}

interface Store {
  readonly files: Map<string, string>;
  /** Files at Azure that nobody has asked for since they came. */
  readonly unread: Set<string>;
  readonly batches: Map<string, StubBatch>;
}

/** What each stub keeps, by what is its own alone. */
const stores = new WeakMap<StubSettings, Store>();

function storeOf({ settings }: Call): Store {
  const store = stores.get(settings) ?? { files: new Map(), unread: new Set(), batches: new Map() };
  stores.set(settings, store);
  return store;
}

/** Keeps the file of an upload with the purpose `batch` and returns its id; undefined for others. */
export function keepBatchFile(call: Call): string | undefined {
  const { text } = call;
  if (!/name="?purpose"?\r\n\r\nbatch\r\n/.test(text)) return undefined;
  const content = /name="?file"?;[^\r]*(?:\r\n[^\r]+)*\r\n\r\n([^]*?)\r\n--/.exec(text)?.[1];
  if (content === undefined) throw new RequestRefused(400, openAiErrorBody("'file' is a required property"));
  const id = keepFile(call, `in-${call.id}`, content);
  if (isAtAzure(call)) storeOf(call).unread.add(id);
  return id;
}

/** How far a file is that has just come: Azure reads it for a while first, here until somebody asks for it. */
export function statusOfNew(call: Call, id: string): "pending" | "processed" {
  return storeOf(call).unread.has(id) ? "pending" : "processed";
}

/** How far a file is that is asked for. */
export function statusWhenAsked(call: Call, id: string): "processed" {
  storeOf(call).unread.delete(id);
  return "processed";
}

/** Azure alone has the key there. */
export function isAtAzure({ headers }: Call): boolean {
  return headers["api-key"] !== undefined;
}

function keepFile(call: Call, name: string, content: string): string {
  const id = `batch-${name}`;
  storeOf(call).files.set(id, content);
  return id;
}

/** GET /v1/files/{id}/content. */
export function fileContent(call: Call): Reply {
  const content = storeOf(call).files.get(call.params["id"] ?? "");
  if (content === undefined) throw new RequestRefused(404, openAiErrorBody("No such File object"));
  return { kind: "bytes", contentType: "application/octet-stream", pieces: [Buffer.from(content)] };
}

/** Makes a batch of a file that was uploaded; `about` is what is said of it whatever becomes of it. */
export function makeBatch(call: Call, inputId: string, about: JsonObject): StubBatch {
  if (!storeOf(call).files.has(inputId))
    throw new RequestRefused(400, openAiErrorBody(`Invalid 'input_file_id': ${inputId}`, { param: "input_file_id" }));
  if (storeOf(call).unread.has(inputId))
    throw new RequestRefused(400, openAiErrorBody("The file is not processed yet.", { param: "input_file_id" }));
  const metadata = isJsonObject(about["metadata"]) ? about["metadata"] : {};
  const id = `batch_${call.id}`;
  const made = { id, created_at: Math.floor(Date.now() / 1000), ...about };
  const course = metadata["course"];
  const batch = { id, inputId, about: made, course, status: "validating", looks: 0, outputId: null, errorId: null };
  storeOf(call).batches.set(id, batch);
  return batch;
}

/** All of them, the newest first. */
export function allBatches(call: Call): readonly StubBatch[] {
  return [...storeOf(call).batches.values()].toReversed();
}

/** The batch whose id stands last in the path, but for `/cancel`. Refuses with 404. */
function batchAsked(call: Call): StubBatch {
  const { id = "" } = call.params;
  const batch = storeOf(call).batches.get(id);
  if (batch === undefined) throw new RequestRefused(404, openAiErrorBody(`No batch found with id ${id}`));
  return batch;
}

/** The batch that is asked for, which is on its way to its end now. */
export function cancelBatch(call: Call): StubBatch {
  const batch = batchAsked(call);
  if (batch.status !== "completed") batch.status = "cancelling";
  return batch;
}

/** The batch that is asked for: each look brings it further. */
export function lookAtBatch(find: FindEndpoint, call: Call): StubBatch {
  const batch = batchAsked(call);
  batch.looks += 1;
  if (batch.status === "validating") batch.status = "in_progress";
  else if (batch.status === "cancelling") finish(find, call, batch, "cancelled", 1);
  else if (batch.status === "in_progress" && batch.course === "expire") finish(find, call, batch, "expired", 1);
  else if (batch.status === "in_progress" && batch.course === "fail") batch.status = "failed";
  else if (batch.status === "in_progress" && batch.course !== "hang")
    finish(find, call, batch, "completed", Number.MAX_SAFE_INTEGER);
  return batch;
}

/** The lines of a batch's input. */
export function readLines(call: Call, { inputId }: StubBatch): readonly string[] {
  return (storeOf(call).files.get(inputId) ?? "").split("\n").filter((line) => line !== "");
}

/** Answers the first lines of the input. */
function finish(find: FindEndpoint, call: Call, batch: StubBatch, status: string, most: number): void {
  const answers = readLines(call, batch)
    .slice(0, most)
    .map((line, index) => answerLine(find, call, { ...batch.about, line: JSON.parse(line) }, index));
  const output = answers.filter(({ isError }) => !isError).map(({ text }) => `${text}\n`);
  const errors = answers.filter(({ isError }) => isError).map(({ text }) => `${text}\n`);
  if (output.length > 0) batch.outputId = keepFile(call, `out-${call.id}`, output.join(""));
  if (errors.length > 0) batch.errorId = keepFile(call, `err-${call.id}`, errors.join(""));
  batch.status = status;
}

/** What begins a `custom_id` steers its answer: `error-`, `bare-` (no usage), `absurd-` (more than can be). */
function answerLine(
  find: FindEndpoint,
  call: Call,
  { line, endpoint, model }: JsonObject,
  index: number,
): { isError: boolean; text: string } {
  if (!isJsonObject(line)) throw new RequestRefused(400, openAiErrorBody("A line is no object."));
  const customId = String(line["custom_id"]);
  const path = String(line["url"] ?? endpoint);
  const body = { model, ...(isJsonObject(line["body"]) ? line["body"] : {}) };
  const isError = customId.startsWith("error-");
  const answer = isError
    ? { status_code: 400, body: openAiErrorBody("This line is wrong.") }
    : { status_code: 200, body: steered(customId, answerTo(find, { ...call, id: `${call.id}l${index}`, path, body })) };
  const response = { request_id: `req_${index}`, ...answer };
  return { isError, text: JSON.stringify({ id: `batch_req_${index}`, custom_id: customId, response, error: null }) };
}

function answerTo(find: FindEndpoint, call: Call): unknown {
  const reply = find("POST", call.path)?.({ ...call, behaviour: { kind: "normal" } });
  if (reply?.kind === "json") return reply.body;
  return reply?.kind === "stream" ? reply.toJson().body : {};
}

function steered(customId: string, answer: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  if (customId.startsWith("bare-")) return { ...answer, usage: undefined };
  if (!customId.startsWith("absurd-")) return answer;
  return { ...answer, usage: { prompt_tokens: 10, completion_tokens: 1e9, total_tokens: 1e9 + 10 } };
}
