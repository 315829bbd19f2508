import type { Routes } from "../../../stub-kit/routes.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { storeBatchFile, statusOfNew, statusWhenAsked } from "./stored-batches.ts";
import { type Call, json, type Reply } from "../../../stub-kit/call.ts";

/** Files and stored responses. Only batch files are stored: every other id gets the same answer. */
export const storedObjects: Routes = {
  "POST /files": uploadFile,
  "GET /files/{id}": showFile,
  "GET /files/{id}/content": () => json({ content: "of a file" }),
  "DELETE /files/{id}": ({ params }) => json({ ...params, object: "file", deleted: true }),
  "GET /responses/{id}": ({ params }) => json(responseOf(params)),
  "DELETE /responses/{id}": ({ params }) => json({ ...params, object: "response", deleted: true }),
  "POST /responses/{id}/cancel": ({ params }) => json(responseOf(params)),
  "GET /responses/{id}/input_items": () => json({ object: "list", data: [], has_more: false }),
};

/** Source: https://platform.openai.com/docs/api-reference/files/create */
function uploadFile(call: Call): Reply {
  const { id, headers } = call;
  if (!/^multipart\/form-data; ?boundary=/.test(headers["content-type"] ?? ""))
    refuse("'file' is a required property", { param: "file" });
  const fileId = storeBatchFile(call) ?? `file-${id}`;
  return json(fileOf(fileId, statusOfNew(call, fileId)));
}

function showFile(call: Call): Reply {
  const { id = "" } = call.params;
  return json(fileOf(id, statusWhenAsked(call, id)));
}

function fileOf(id: string, status: string): object {
  const about = { bytes: 10, created_at: 1_715_367_049, filename: "notes.txt", purpose: "user_data" };
  // The last two fields are Mistral's.
  return { id, object: "file", ...about, status, sample_type: "batch_request", source: "upload" };
}

function responseOf(params: Call["params"]): object {
  return { ...params, object: "response", status: "completed", output: [], model: "gpt-4o-mini" };
}
