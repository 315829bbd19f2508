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

/** A chat that is translated for a provider, and its answers back. */
export interface TranslatedChat {
  readonly sent: JsonRecord;
  readonly dropped: readonly string[];
  /** What the caller gets for a whole answer of the provider. */
  answer(whole: JsonRecord): JsonRecord;
  /** The events that the caller gets for a stream of the provider: records are events with their type for a name. */
  stream(events: readonly (JsonRecord | string)[]): readonly JsonRecord[];
}

/** Translates a caller's body. Throws what the caller is refused with. */
export function translateChat(caller: Format, provider: ProviderFormat, body: JsonRecord): TranslatedChat {
  const translation = createThroughNeutral(caller, provider, {
    countText: (text) => text.length,
    nowSeconds: () => 1_700_000_000,
  });
  const ask: ParsedRequest = {
    ...ownRequest("chat-completions", { model: MODEL, messages: [{ role: "user", content: "Hi" }] }),
    format: caller,
    body: readBody(Buffer.from(JSON.stringify({ model: MODEL, ...body }))),
    stream: body.stream === true,
    wantsUsage: true,
  };
  const written = translation.writeRequest(ask, {
    model: MODEL,
    systemPrompt: "",
    maxTokens: undefined,
    reportUsage: false,
  });
  return {
    sent: recordOf(parseJson(written.body.toString())),
    dropped: written.dropped,
    answer(whole) {
      const read = translation.readAnswer(ask, 200, {}, Buffer.from(JSON.stringify(whole)));
      assert.ok(read.ok, JSON.stringify(read));
      return recordOf(parseJson(read.bytes.toString()));
    },
    stream(events) {
      const opened = translation.openStream(ask);
      const pieces = events.map((event) => opened.push(Buffer.from(frameOf(event)))?.toString() ?? "");
      pieces.push(opened.finish()?.toString() ?? "");
      assert.equal(opened.state, "complete", JSON.stringify(opened.failure));
      const usage = opened.usage === undefined ? opened.tellUsage?.(NO_USAGE).toString() : "";
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
