import type { Format } from "../../format.ts";
import { anthropicMessages } from "../../protocols/anthropic-messages/anthropic-messages.ts";
import { NEWER_VERSION, OLDER_VERSION } from "../../protocols/anthropic-messages/usage.ts";

/** Vertex's name of the older version of Anthropic's API. */
const VERSION = "vertex-2023-10-16";
const WRITTEN = Buffer.from(`{"anthropic_version":"${VERSION}"`);
const NEWER = Buffer.from(`{"anthropic_version":"${NEWER_VERSION}"`);

/** Returns Vertex's name of a Claude model: a date follows an @, and one model is named by its version. */
export function vertexClaudeName(model: string): string {
  const name = model.replace(/-latest$/, "").replace(/-(\d{8})$/, "@$1");
  return name.replace(/^claude-3-5-sonnet(?=@20241022$)/, "claude-3-5-sonnet-v2");
}

/**
 * Anthropic's Messages API at Vertex: the version is in the body, the model in the path; for token counts it stays in the body.
 * Source: https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
 */
export function vertexMessages(model: "in-path" | "in-body"): Format {
  const base = anthropicMessages(OLDER_VERSION);
  const { chat } = base;
  return {
    ...base,
    edit(body, edits) {
      const fields = new Map(base.edit(body, edits));
      fields.set("model", model === "in-path" ? undefined : JSON.stringify(vertexClaudeName(edits.model)));
      return fields.set("anthropic_version", JSON.stringify(VERSION));
    },
    chat: chat && {
      ...chat,
      writeRequest(request) {
        const { body, dropped } = chat.writeRequest(request);
        const { model: _inPath, ...fields } = body;
        return { body: { anthropic_version: VERSION, ...fields }, dropped };
      },
    },
  };
}

/** Replaces the version in the body's first field with the caller's. */
export function inVersion(body: Buffer, version: string | undefined): Buffer {
  if (version !== NEWER_VERSION || !body.subarray(0, WRITTEN.length).equals(WRITTEN)) return body;
  return Buffer.concat([NEWER, body.subarray(WRITTEN.length)]);
}
