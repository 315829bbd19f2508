import { isRecord, listOf } from "./json-fields.ts";

/**
 * Fields of answers without model output: ids, roles, kinds, signatures, media, and additions of the provider. The text of all other fields
 * counts as delivered, unknown ones included.
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

export function writtenText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return listOf(value).map(writtenText).join("");
  if (!isRecord(value)) return "";
  let text = "";
  for (const name in value) if (!METADATA.has(name)) text += writtenText(value[name]);
  return text;
}
