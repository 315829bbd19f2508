import { isRecord, listOf } from "./json-fields.ts";

/**
 * Fields of answers whose text no model has written: ids, roles, kinds, signatures, media, and what a provider adds to the answer. The text of every
 * other field counts as delivered, also that of fields that are not known here.
 */
const METADATA: ReadonlySet<string> = new Set([
  "id",
  "index",
  "type",
  "role",
  "object",
  "model",
  "status",
  "format",
  "mime_type",
  "mimeType",
  "language",
  "outcome",
  "finish_reason",
  "stop_reason",
  "stop_sequence",
  "call_id",
  "item_id",
  "tool_call_id",
  "tool_use_id",
  "container_id",
  "server_label",
  "signature",
  "thoughtSignature",
  "thought_signature",
  "encrypted_content",
  "cache_control",
  "caller",
  "extra_content",
  "annotations",
  "citations",
  "citation",
  "logprobs",
  "executed_tools",
  "audio",
  "images",
  "image_url",
  "inlineData",
  "inline_data",
  "fileData",
  "file_data",
]);

/** Returns all text of a value that a model has written, joined. */
export function writtenText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listOf(value).map(writtenText).join("");
  if (!isRecord(value)) return "";
  let text = "";
  for (const name in value) if (!METADATA.has(name)) text += writtenText(value[name]);
  return text;
}
