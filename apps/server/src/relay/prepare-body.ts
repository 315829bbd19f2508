import type { Route } from "./channels/pick-channel.ts";
import { editFields } from "./body/edit-fields.ts";
import { isRecord } from "./body/read-body.ts";
import type { RelayJob } from "./relay-job.ts";

/**
 * Returns the body for one channel: the caller's own bytes, but for the model after mapping, the channel's system prompt, the
 * request for usage in streams and a limit where the balance sets one.
 */
export function prepareBody(job: RelayJob, route: Route): Buffer {
  const { ask, cappedTokens } = job;
  const edits = new Map<string, string>();
  if (route.upstreamModel !== ask.model) edits.set("model", JSON.stringify(route.upstreamModel));
  if (route.channel.systemPrompt !== "" && ask.endpoint === "chat-completions") {
    edits.set("messages", JSON.stringify(withSystemPrompt(ask.body.json["messages"], route.channel.systemPrompt)));
  }
  if (ask.stream && !ask.wantsUsage && route.provider.streamUsage === "on-request") {
    const options = ask.body.json["stream_options"];
    edits.set("stream_options", JSON.stringify({ ...(isRecord(options) ? options : {}), include_usage: true }));
  }
  if (cappedTokens !== undefined) {
    edits.set(ask.endpoint === "completions" ? "max_tokens" : "max_completion_tokens", String(cappedTokens));
  }
  return editFields(ask.body.bytes, ask.body.fields, edits);
}

/** The channel's prompt takes the place of a system message at the front, or goes before everything. */
function withSystemPrompt(messages: unknown, systemPrompt: string): unknown[] {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  const [first, ...rest] = list;
  const leads = isRecord(first) && (first["role"] === "system" || first["role"] === "developer");
  return leads ? [{ ...first, content: systemPrompt }, ...rest] : [{ role: "system", content: systemPrompt }, ...list];
}
