import assert from "node:assert/strict";
import type { Format, ProviderFormat } from "@one-api/providers/format";
import { type JsonRecord, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { NO_USAGE } from "@one-api/providers/usage";
import { type ParsedRequest, readBody } from "../../body/index.ts";
import { ownRequest } from "../../dialects/index.ts";
import { createThroughNeutral } from "../through-neutral.ts";

const MODEL = "some-model";

/** A chat translated for a provider, and its answers for the caller. */
export interface TranslatedChat {
  readonly sent: JsonRecord;
  readonly dropped: readonly string[];
  /** The caller's answer for a whole answer of the provider. */
  answer(whole: JsonRecord): JsonRecord;
  /** The caller's events for a stream of the provider. Records are events named by their type. */
  stream(events: readonly (JsonRecord | string)[]): readonly JsonRecord[];
}

/** Translates a caller's body. Throws the refusal. */
export function translateChat(caller: Format, provider: ProviderFormat, body: JsonRecord): TranslatedChat {
  const translation = createThroughNeutral(caller, provider, {
    countText: (text) => text.length,
    nowSeconds: () => 1_700_000_000,
  });
  const parsed: ParsedRequest = {
    ...ownRequest("chat-completions", { model: MODEL, messages: [{ role: "user", content: "Hi" }] }),
    format: caller,
    body: readBody(Buffer.from(JSON.stringify({ model: MODEL, ...body }))),
    stream: body.stream === true,
    wantsUsage: true,
  };
  const written = translation.writeRequest(parsed, {
    model: MODEL,
    systemPrompt: "",
    maxTokens: undefined,
    reportUsage: false,
  });
  return {
    sent: recordOf(parseJson(written.body.toString())),
    dropped: written.dropped,
    answer(whole) {
      const read = translation.readAnswer(parsed, 200, {}, Buffer.from(JSON.stringify(whole)));
      assert.ok(read.ok, JSON.stringify(read));
      return recordOf(parseJson(read.bytes.toString()));
    },
    stream(events) {
      const opened = translation.openStream(parsed);
      const pieces = events.map((event) => opened.push(Buffer.from(frameOf(event)))?.toString() ?? "");
      pieces.push(opened.finish()?.toString() ?? "");
      assert.equal(opened.state, "complete", JSON.stringify(opened.failure));
      const usage = opened.usage === undefined ? opened.writeUsage?.(NO_USAGE).toString() : "";
      return new EventSplitter()
        .push(Buffer.from(pieces.join("") + (usage ?? "")))
        .map(readServerSentEvent)
        .map(({ data }) => recordOf(parseJson(data)));
    },
  };
}

function frameOf(event: JsonRecord | string): string {
  if (typeof event === "string") return `data: ${event}\n\n`;
  const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
