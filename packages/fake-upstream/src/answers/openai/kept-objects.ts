import { openAiErrorBody, RequestRefused } from "../../refusal.ts";
import { keepBatchFile, statusOfNew, statusWhenAsked } from "../batches/stub-batches.ts";
import type { Call, Endpoint, Reply } from "../../reply.ts";

/** What OpenAI keeps: answers and files. The stub keeps nothing, and says the same of everything that it could have made. */
const ENDPOINTS: readonly (readonly [method: string, path: RegExp, endpoint: Endpoint])[] = [
  ["POST", /^\/v1\/files$/, uploadFile],
  ["GET", /^\/v1\/files\/[\w-]+$/, askForFile],
  ["GET", /^\/v1\/files\/[\w-]+\/content$/, () => json({ content: "of a file" })],
  ["DELETE", /^\/v1\/files\/[\w-]+$/, ({ path }) => json({ id: lastPart(path), object: "file", deleted: true })],
  ["GET", /^\/v1\/responses\/[\w-]+$/, ({ path }) => json(responseOf(lastPart(path)))],
  [
    "DELETE",
    /^\/v1\/responses\/[\w-]+$/,
    ({ path }) => json({ id: lastPart(path), object: "response", deleted: true }),
  ],
  ["POST", /^\/v1\/responses\/[\w-]+\/cancel$/, ({ path }) => json(responseOf(lastPart(path.slice(0, -7))))],
  ["GET", /^\/v1\/responses\/[\w-]+\/input_items$/, () => json({ object: "list", data: [], has_more: false })],
];

/** The endpoint of something that is kept, or undefined. */
export function findKeptEndpoint(method: string, path: string): Endpoint | undefined {
  return ENDPOINTS.find(([asked, pattern]) => asked === method && pattern.test(path))?.[2];
}

/** POST /v1/files: https://platform.openai.com/docs/api-reference/files/create */
function uploadFile(call: Call): Reply {
  const { id, headers } = call;
  if (!/^multipart\/form-data; ?boundary=/.test(headers["content-type"] ?? ""))
    throw new RequestRefused(400, openAiErrorBody("'file' is a required property", { param: "file" }));
  const fileId = keepBatchFile(call) ?? `file-${id}`;
  return json(fileOf(fileId, statusOfNew(call, fileId)));
}

function askForFile(call: Call): Reply {
  const id = lastPart(call.path);
  return json(fileOf(id, statusWhenAsked(call, id)));
}

function fileOf(id: string, status: string): object {
  const about = { bytes: 10, created_at: 1_715_367_049, filename: "notes.txt", purpose: "user_data" };
  // The last two are Mistral's.
  return { id, object: "file", ...about, status, sample_type: "batch_request", source: "upload" };
}

function responseOf(id: string): object {
  return { id, object: "response", status: "completed", output: [], model: "gpt-4o-mini" };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function json(body: object): Reply {
  return { kind: "json", body, tokens: 0 };
}
