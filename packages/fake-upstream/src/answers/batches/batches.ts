import { isJsonObject, type JsonObject } from "../../json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";
import type { UpstreamSettings } from "../../upstream-settings.ts";

/** Finds what answers one request of a batch. */
type FindEndpoint = (method: string, path: string) => Endpoint | undefined;

/** A batch as the stub remembers it. */
interface StubBatch {
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
const stores = new WeakMap<UpstreamSettings, Store>();

function storeOf({ settings }: Call): Store {
  const store = stores.get(settings) ?? { files: new Map(), unread: new Set(), batches: new Map() };
  stores.set(settings, store);
  return store;
}

/** OpenAI's batches, and the files that belong to them: https://platform.openai.com/docs/api-reference/batch */
export function findBatchEndpoint(find: FindEndpoint, method: string, path: string): Endpoint | undefined {
  const asked = `${method} ${path.replace(/(?<=^\/v1\/(?:batches|files)\/)[\w-]+/, ":id")}`;
  if (asked === "POST /v1/batches") return createBatch;
  if (asked === "GET /v1/batches") return listBatches;
  if (asked === "POST /v1/batches/:id/cancel") return cancelBatch;
  if (asked === "GET /v1/batches/:id") return (call) => retrieveBatch(find, call);
  if (asked === "GET /v1/files/:id/content" && path.includes("/files/batch-")) return fileContent;
  return undefined;
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

function isAtAzure({ headers }: Call): boolean {
  return headers["api-key"] !== undefined;
}

function keepFile(call: Call, name: string, content: string): string {
  const id = `batch-${name}`;
  storeOf(call).files.set(id, content);
  return id;
}

function fileContent(call: Call): Reply {
  const content = storeOf(call).files.get(lastPart(call.path.replace(/\/content$/, "")));
  if (content === undefined) throw new RequestRefused(404, openAiErrorBody("No such File object"));
  return { kind: "bytes", contentType: "application/octet-stream", pieces: [Buffer.from(content)] };
}

function createBatch(call: Call): Reply {
  const { body, id } = call;
  const inputId = String(body["input_file_id"]);
  if (!storeOf(call).files.has(inputId))
    throw new RequestRefused(400, openAiErrorBody(`Invalid 'input_file_id': ${inputId}`, { param: "input_file_id" }));
  if (storeOf(call).unread.has(inputId))
    throw new RequestRefused(400, openAiErrorBody("The file is not processed yet.", { param: "input_file_id" }));
  const metadata = isJsonObject(body["metadata"]) ? body["metadata"] : {};
  const about = { id: `batch_${id}`, object: "batch", created_at: Math.floor(Date.now() / 1000), ...body };
  const batch = {
    about,
    course: metadata["course"],
    status: "validating",
    looks: 0,
    outputId: null,
    errorId: null,
  };
  storeOf(call).batches.set(about.id, batch);
  return shown(call, batch);
}

function listBatches(call: Call): Reply {
  const data = [...storeOf(call).batches.values()].toReversed().map((batch) => present(call, batch));
  return { kind: "json", body: { object: "list", data, has_more: false }, tokens: 0 };
}

function batchAt(call: Call, path: string): StubBatch {
  const batch = storeOf(call).batches.get(lastPart(path));
  if (batch === undefined) throw new RequestRefused(404, openAiErrorBody(`No batch found with id ${lastPart(path)}`));
  return batch;
}

function cancelBatch(call: Call): Reply {
  const batch = batchAt(call, call.path.replace(/\/cancel$/, ""));
  if (batch.status !== "completed") batch.status = "cancelling";
  return shown(call, batch);
}

/** Each look brings it further. */
function retrieveBatch(findEndpoint: FindEndpoint, call: Call): Reply {
  const batch = batchAt(call, call.path);
  batch.looks += 1;
  if (batch.status === "validating") batch.status = "in_progress";
  else if (batch.status === "cancelling") finish(findEndpoint, call, batch, "cancelled", 1);
  else if (batch.status === "in_progress" && batch.course === "expire") finish(findEndpoint, call, batch, "expired", 1);
  else if (batch.status === "in_progress" && batch.course === "fail") batch.status = "failed";
  else if (batch.status === "in_progress" && batch.course !== "hang")
    finish(findEndpoint, call, batch, "completed", Number.MAX_SAFE_INTEGER);
  return shown(call, batch);
}

/** Answers the first lines of the input. */
function finish(find: FindEndpoint, call: Call, batch: StubBatch, status: string, most: number): void {
  const { files } = storeOf(call);
  const lines = (files.get(String(batch.about["input_file_id"])) ?? "").split("\n").filter((line) => line !== "");
  const answers = lines.slice(0, most).map((line, index) => answerLine(find, call, JSON.parse(line), index));
  const output = answers.filter(({ isError }) => !isError).map(({ text }) => `${text}\n`);
  const errors = answers.filter(({ isError }) => isError).map(({ text }) => `${text}\n`);
  if (output.length > 0) batch.outputId = keepFile(call, `out-${call.id}`, output.join(""));
  if (errors.length > 0) batch.errorId = keepFile(call, `err-${call.id}`, errors.join(""));
  batch.status = status;
}

/** What begins a `custom_id` steers its answer: `error-`, `bare-` (no usage), `absurd-` (more than can be). */
function answerLine(find: FindEndpoint, call: Call, line: unknown, index: number): { isError: boolean; text: string } {
  if (!isJsonObject(line)) throw new RequestRefused(400, openAiErrorBody("A line is no object."));
  const customId = String(line["custom_id"]);
  const path = String(line["url"]);
  const body = isJsonObject(line["body"]) ? line["body"] : {};
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

function shown(call: Call, batch: StubBatch): Reply {
  return { kind: "json", body: present(call, batch), tokens: 0 };
}

/** Azure begins states with a capital and writes times as texts: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch */
function present(call: Call, { about, status, outputId, errorId }: StubBatch): JsonObject {
  const batch = { ...about, output_file_id: outputId, error_file_id: errorId };
  if (!isAtAzure(call)) return { ...batch, status };
  const created_at = new Date(Number(about["created_at"]) * 1000).toISOString();
  return { ...batch, created_at, status: status.slice(0, 1).toUpperCase() + status.slice(1) };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
