import type { StubSettings } from "../../../stub-kit/settings.ts";
import { isJsonObject, type JsonObject, objectField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, refuse } from "../../../stub-kit/refusal.ts";
import type { Call, Endpoint, Reply } from "../../../stub-kit/call.ts";

export type FindEndpoint = (method: string, path: string) => Endpoint | undefined;

export interface StubBatch {
  readonly id: string;
  readonly inputId: string;
  readonly about: JsonObject;
  /** Requested by its metadata: `hang` until cancelled, `expire` or `fail`; else completed at the second poll. */
  readonly course: unknown;
  status: string;
  looks: number;
  outputId: string | null;
  errorId: string | null;
}

interface Store {
  readonly files: Map<string, string>;
  readonly unread: Set<string>;
  readonly batches: Map<string, StubBatch>;
}

const stores = new WeakMap<StubSettings, Store>();

function storeOf({ settings }: Call): Store {
  const store = stores.get(settings) ?? { files: new Map(), unread: new Set(), batches: new Map() };
  stores.set(settings, store);
  return store;
}

/** Stores an uploaded file with the purpose `batch` and returns its id; undefined for others. */
export function storeBatchFile(call: Call): string | undefined {
  const { text } = call;
  if (!/name="?purpose"?\r\n\r\nbatch\r\n/.test(text)) return undefined;
  const content = /name="?file"?;[^\r]*(?:\r\n[^\r]+)*\r\n\r\n([^]*?)\r\n--/.exec(text)?.[1];
  if (content === undefined) refuse("'file' is a required property");
  const id = storeFile(call, `in-${call.id}`, content);
  if (isAtAzure(call)) storeOf(call).unread.add(id);
  return id;
}

/** State of a new file. Azure processes it first, here until the first poll. */
export function statusOfNew(call: Call, id: string): "pending" | "processed" {
  return storeOf(call).unread.has(id) ? "pending" : "processed";
}

export function statusWhenAsked(call: Call, id: string): "processed" {
  storeOf(call).unread.delete(id);
  return "processed";
}

/** Only Azure has the key in this header. */
export function isAtAzure({ headers }: Call): boolean {
  return headers["api-key"] !== undefined;
}

function storeFile(call: Call, name: string, content: string): string {
  const id = `batch-${name}`;
  storeOf(call).files.set(id, content);
  return id;
}

export function fileContent(call: Call): Reply {
  const content = storeOf(call).files.get(call.params["id"] ?? "");
  if (content === undefined) refuse("No such File object", { status: 404 });
  return { kind: "bytes", contentType: "application/octet-stream", pieces: [Buffer.from(content)] };
}

/** Creates a batch of an uploaded file. `about` holds the constant fields of its description. */
export function makeBatch(call: Call, inputId: string, about: JsonObject): StubBatch {
  if (!storeOf(call).files.has(inputId)) refuse(`Invalid 'input_file_id': ${inputId}`, { param: "input_file_id" });
  if (storeOf(call).unread.has(inputId)) refuse("The file is not processed yet.", { param: "input_file_id" });
  const id = `batch_${call.id}`;
  const made = { id, created_at: Math.floor(Date.now() / 1000), ...about };
  const { course } = objectField(about, "metadata");
  const batch = { id, inputId, about: made, course, status: "validating", looks: 0, outputId: null, errorId: null };
  storeOf(call).batches.set(id, batch);
  return batch;
}

/** Newest first. */
export function allBatches(call: Call): readonly StubBatch[] {
  return [...storeOf(call).batches.values()].toReversed();
}

function batchAsked(call: Call): StubBatch {
  const { id = "" } = call.params;
  return storeOf(call).batches.get(id) ?? refuse(`No batch found with id ${id}`, { status: 404 });
}

export function cancelBatch(call: Call): StubBatch {
  const batch = batchAsked(call);
  if (batch.status !== "completed") batch.status = "cancelling";
  return batch;
}

/** Each poll advances the batch. */
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

export function readLines(call: Call, { inputId }: StubBatch): readonly string[] {
  return (storeOf(call).files.get(inputId) ?? "").split("\n").filter((line) => line !== "");
}

function finish(find: FindEndpoint, call: Call, batch: StubBatch, status: string, most: number): void {
  const answers = readLines(call, batch)
    .slice(0, most)
    .map((line, index) => answerLine(find, call, { ...batch.about, line: JSON.parse(line) }, index));
  const output = answers.filter(({ isError }) => !isError).map(({ text }) => `${text}\n`);
  const errors = answers.filter(({ isError }) => isError).map(({ text }) => `${text}\n`);
  if (output.length > 0) batch.outputId = storeFile(call, `out-${call.id}`, output.join(""));
  if (errors.length > 0) batch.errorId = storeFile(call, `err-${call.id}`, errors.join(""));
  batch.status = status;
}

/** The prefix of `custom_id` controls the answer: `error-`, `bare-` (no usage), `absurd-` (impossible usage). */
function answerLine(
  find: FindEndpoint,
  call: Call,
  { line, endpoint, model }: JsonObject,
  index: number,
): { isError: boolean; text: string } {
  if (!isJsonObject(line)) refuse("A line is no object.");
  const customId = String(line["custom_id"]);
  const path = String(line["url"] ?? endpoint);
  const body = { model, ...objectField(line, "body") };
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
