import type { AnswerEnvelope, StreamEncoder } from "../../format-sides.ts";
import { EventTooLongError } from "../../framing/event-splitter.ts";
import { COMMENT, writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import { pictureText, type ReasoningPart } from "../../neutral/message-part.ts";
import { type JsonRecord, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { writeTokens } from "../openai/logprobs.ts";
import { OutputItems, responseOf, textInput, wantsEncrypted, writeFinish, writeId, writeUsage } from "./answer.ts";

/** Upper bound of the buffered answer, which the last event repeats, in UTF-16 units. */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

interface OpenItem {
  readonly kind: "text" | "refusal" | "thought" | "call" | "text-call";
  readonly index: number;
  readonly item: JsonRecord;
  text: string;
  readonly logprobs: JsonRecord[];
}

/**
 * Writes a stream of the Responses API: each item has start, delta and end events, and the last event repeats all
 * items.
 */
export class ResponsesStreamEncoder implements StreamEncoder {
  readonly #envelope: AnswerEnvelope;
  readonly #items: OutputItems;
  #response: JsonRecord = {};
  #sequence = 0;
  #length = 0;
  #started = false;
  readonly #output = new Map<number, JsonRecord>();
  #indexes = 0;
  #open: OpenItem | undefined;
  /**
   * Signatures without a thought, written before the next item: always before a call, before others only for callers
   * that ask for encrypted thoughts.
   */
  #loose: ReasoningPart[] = [];
  readonly #wantsEncrypted: boolean;
  readonly #calls = new Map<number, OpenItem>();
  #finish: Finish = { reason: "stop", stopSequence: "" };
  #usage: Usage | undefined;

  constructor(envelope: AnswerEnvelope) {
    this.#envelope = envelope;
    this.#items = new OutputItems(envelope.request);
    this.#wantsEncrypted = wantsEncrypted(envelope.request);
  }

  write(event: ChatEvent): string {
    if ("choice" in event && event.choice !== 0) return "";
    switch (event.type) {
      case "answer-start":
        return this.#start(event.id, event.model);
      case "text-delta":
        return this.#enter("text") + this.#grow(event.text, event.logprobs);
      case "picture":
        return this.#enter("text") + this.#grow(pictureText(event.mediaType, event.data));
      case "refusal-delta":
        return this.#enter("refusal") + this.#grow(event.text);
      case "reasoning-delta":
        return this.#enter("thought") + this.#grow(event.text);
      case "reasoning-signature":
        if (this.#open?.kind === "thought") return this.#leave(event.signature);
        this.#loose.push({ type: "reasoning", text: "", signature: event.signature });
        return "";
      case "hidden-reasoning":
        return (
          this.#leave() +
          this.#leaveCalls() +
          this.#whole(this.#items.write({ type: "hidden-reasoning", data: event.data }))
        );
      case "tool-call-start":
        return this.#leave() + this.#writeLoose(true) + this.#beginCall(event.call, event.id, event.name);
      case "tool-input-delta":
        return this.#growCall(event.call, event.text);
      case "answer-finish":
        this.#finish = event.finish;
        return "";
      case "usage-report":
        this.#usage = event.usage;
        return "";
      case "tool-fee-report":
      case "stream-end":
      case "error":
        return "";
    }
  }

  ping(): string {
    return COMMENT;
  }

  finish(): string {
    const before = this.#start("", "") + this.#leave() + this.#leaveCalls() + this.#writeLoose(this.#wantsEncrypted);
    const output = [...this.#output].toSorted(([left], [right]) => left - right).map(([, item]) => item);
    const end = writeFinish(this.#finish, this.#envelope.created);
    const usage = this.#usage === undefined ? null : writeUsage(this.#usage);
    const response = { ...this.#response, ...end, output, usage };
    return before + this.#event(`response.${textOf(end.status)}`, { response });
  }

  #start(id: string, model: string): string {
    if (this.#started) return "";
    this.#started = true;
    const responseId = writeId(id);
    this.#response = responseOf(responseId, model, this.#envelope);
    const response = this.#response;
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  /** Continues an open item of the kind, or closes the open item and begins a new one. */
  #enter(kind: "text" | "refusal" | "thought"): string {
    if (this.#open?.kind === kind) return "";
    const before = this.#start("", "") + this.#leave() + this.#leaveCalls() + this.#writeLoose(this.#wantsEncrypted);
    const made = kind === "thought" ? this.#items.thought("", "") : this.#items.message({});
    const item = kind === "thought" ? made : { ...made, status: "in_progress", content: [] };
    const open: OpenItem = { kind, index: this.#nextIndex(), item, text: "", logprobs: [] };
    this.#open = open;
    const added = this.#event("response.output_item.added", { output_index: open.index, item });
    if (kind === "thought") return before + added;
    const part = kind === "text" ? textPart("") : { type: "refusal", refusal: "" };
    return before + added + this.#event("response.content_part.added", { ...placeOf(open), content_index: 0, part });
  }

  #grow(text: string, tokens: readonly WrittenToken[] = []): string {
    const open = this.#open;
    if (open === undefined) return "";
    const isFirst = open.text === "";
    this.#keep(open, text);
    const logprobs = writeTokens(tokens);
    this.#addLogprobs(open, logprobs);
    const place = placeOf(open);
    switch (open.kind) {
      case "text":
        return this.#event("response.output_text.delta", { ...place, content_index: 0, delta: text, logprobs });
      case "refusal":
        return this.#event("response.refusal.delta", { ...place, content_index: 0, delta: text });
      default: {
        const part = { type: "summary_text", text: "" };
        const added = this.#event("response.reasoning_summary_part.added", { ...place, summary_index: 0, part });
        const delta = this.#event("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta: text });
        return isFirst ? added + delta : delta;
      }
    }
  }

  #leave(signature = ""): string {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return "";
    const { text, kind, logprobs } = open;
    if (kind === "thought") return this.#endThought(open, signature);
    const place = { ...placeOf(open), content_index: 0 };
    const part = kind === "text" ? textPart(text, logprobs) : { type: "refusal", refusal: text };
    const done =
      kind === "text"
        ? this.#event("response.output_text.done", { ...place, text, logprobs })
        : this.#event("response.refusal.done", { ...place, refusal: text });
    const item = { ...open.item, status: "completed", content: [part] };
    return done + this.#event("response.content_part.done", { ...place, part }) + this.#done(open, item);
  }

  #endThought(open: OpenItem, signature: string): string {
    const { text } = open;
    const encrypted = this.#items.encrypted({ type: "reasoning", text, signature });
    const place = { ...placeOf(open), summary_index: 0 };
    const part = { type: "summary_text", text };
    const item = {
      ...open.item,
      summary: text === "" ? [] : [part],
      ...(encrypted !== "" && { encrypted_content: encrypted }),
    };
    if (text === "") return this.#done(open, item);
    return (
      this.#event("response.reasoning_summary_text.done", { ...place, text }) +
      this.#event("response.reasoning_summary_part.done", { ...place, part }) +
      this.#done(open, item)
    );
  }

  #writeLoose(isNeeded: boolean): string {
    const loose = this.#loose;
    if (loose.length === 0) return "";
    this.#loose = [];
    if (!isNeeded) return "";
    return this.#start("", "") + this.#whole(loose.flatMap((part) => this.#items.write(part)));
  }

  #beginCall(call: number, id: string, name: string): string {
    const started = this.#start("", "");
    const made = this.#items.call(id, name, "");
    const takesText = this.#items.takesText(name);
    const item = { ...made, status: "in_progress", ...(takesText ? { input: "" } : { arguments: "" }) };
    const open: OpenItem = {
      kind: takesText ? "text-call" : "call",
      index: this.#nextIndex(),
      item,
      text: "",
      logprobs: [],
    };
    this.#calls.set(call, open);
    return started + this.#event("response.output_item.added", { output_index: open.index, item });
  }

  #growCall(call: number, text: string): string {
    const open = this.#calls.get(call);
    if (open === undefined) return "";
    this.#keep(open, text);
    // The input of a custom tool is one JSON argument, so it is only readable once complete.
    if (open.kind === "text-call") return "";
    return this.#event("response.function_call_arguments.delta", { ...placeOf(open), delta: text });
  }

  #leaveCalls(): string {
    let written = "";
    for (const open of this.#calls.values()) {
      const place = placeOf(open);
      if (open.kind === "call") {
        const input = open.text || "{}";
        written += this.#event("response.function_call_arguments.done", {
          ...place,
          arguments: input,
          name: open.item.name,
        });
        written += this.#done(open, { ...open.item, status: "completed", arguments: input });
      } else {
        const input = textInput(open.text);
        written += this.#event("response.custom_tool_call_input.delta", { ...place, delta: input });
        written += this.#event("response.custom_tool_call_input.done", { ...place, input });
        written += this.#done(open, { ...open.item, status: "completed", input });
      }
    }
    this.#calls.clear();
    return written;
  }

  #whole(items: readonly JsonRecord[]): string {
    return items
      .map((item) => {
        const index = this.#nextIndex();
        const added = this.#event("response.output_item.added", { output_index: index, item });
        return added + this.#done({ kind: "thought", index, item, text: "", logprobs: [] }, item);
      })
      .join("");
  }

  #done({ index }: OpenItem, item: JsonRecord): string {
    this.#output.set(index, item);
    return this.#event("response.output_item.done", { output_index: index, item });
  }

  #keep(open: OpenItem, text: string): void {
    open.text += text;
    this.#length += text.length;
    if (this.#length > MAX_ANSWER_LENGTH) throw new EventTooLongError();
  }

  #addLogprobs({ logprobs }: OpenItem, tokens: readonly JsonRecord[]): void {
    if (tokens.length === 0) return;
    logprobs.push(...tokens);
    this.#length += JSON.stringify(tokens).length;
    if (this.#length > MAX_ANSWER_LENGTH) throw new EventTooLongError();
  }

  #nextIndex(): number {
    this.#indexes += 1;
    return this.#indexes - 1;
  }

  #event(type: string, fields: JsonRecord): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence, ...fields });
    this.#sequence += 1;
    return writeServerSentEvent(type, data);
  }
}

function placeOf({ item, index }: OpenItem): JsonRecord {
  return { item_id: item.id, output_index: index };
}

function textPart(text: string, logprobs: readonly JsonRecord[] = []): JsonRecord {
  return { type: "output_text", annotations: [], logprobs, text };
}
