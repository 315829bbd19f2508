import type { AnswerEnvelope, StreamEncoder } from "../../format-sides.ts";
import { COMMENT, writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { pictureText } from "../../neutral/message-part.ts";
import { isProof, signatureOf } from "../../neutral/signature.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import { writeUsage } from "../openai/write-usage.ts";
import { namesFunctions, writeFinish, writeId } from "./answer.ts";
import { writeLogprobs } from "../openai/logprobs.ts";
import { writeGoogleSignature } from "./write-parts.ts";

type SaidEvent = Extract<
  ChatEvent,
  {
    type: "text-delta" | "picture" | "refusal-delta" | "reasoning-delta" | "reasoning-signature" | "hidden-reasoning";
  }
>;

/** Source: https://platform.openai.com/docs/api-reference/chat/streaming */
export class OpenAiStreamEncoder implements StreamEncoder {
  readonly #envelope: AnswerEnvelope;
  readonly #begun = new Set<number>();
  readonly #thoughts = new Map<number, number>();
  /** Gemini's own signatures by choice, repeated on the first call. */
  readonly #signatures = new Map<number, string>();
  readonly #takesText = new Set<string>();
  #id = "";
  #model = "";
  #usage: Usage | undefined;

  constructor(envelope: AnswerEnvelope) {
    this.#envelope = envelope;
  }

  write(event: ChatEvent): string {
    switch (event.type) {
      case "answer-start":
        this.#id = writeId(event.id);
        this.#model = event.model;
        return "";
      case "usage-report":
        this.#usage = event.usage;
        return "";
      case "answer-finish":
        return this.#choice(event.choice, {}, writeFinish(event.finish, this.#envelope));
      case "tool-fee-report":
      case "stream-end":
      case "error":
        return "";
      case "reasoning-signature":
        return isProof(event.signature) ? this.#choice(event.choice, this.#delta(event), null) : "";
      case "tool-call-start":
        return this.#startCall(event);
      case "tool-input-delta":
        return this.#takesText.has(callKey(event))
          ? this.#choice(event.choice, { tool_calls: [{ index: event.call, custom: { input: event.text } }] }, null)
          : this.#call(event, {}, { arguments: event.text });
      default:
        return this.#choice(event.choice, this.#delta(event), null, "logprobs" in event ? event.logprobs : undefined);
    }
  }

  ping(): string {
    return COMMENT;
  }

  finish(): string {
    if (!this.#envelope.reportUsage || this.#usage === undefined) return "";
    return this.#chunk({ choices: [], usage: writeUsage(this.#usage) });
  }

  #begin({ choice, call, id }: Extract<ChatEvent, { type: "tool-call-start" }>): JsonRecord {
    const signature = call === 0 ? this.#signatures.get(choice) : undefined;
    return { id, type: "function", ...(signature !== undefined && writeGoogleSignature(signature)) };
  }

  #startCall(event: Extract<ChatEvent, { type: "tool-call-start" }>): string {
    const { id, name } = event;
    if (event.takesText !== true) return this.#call(event, this.#begin(event), { name, arguments: "" });
    this.#takesText.add(callKey(event));
    const call = { index: event.call, id, type: "custom", custom: { name, input: "" } };
    return this.#choice(event.choice, { tool_calls: [call] }, null);
  }

  /** A delta of a call. Callers of the deprecated `functions` only receive the first call. */
  #call({ choice, call }: { readonly choice: number; readonly call: number }, about: JsonRecord, called: JsonRecord) {
    if (!namesFunctions(this.#envelope.request))
      return this.#choice(choice, { tool_calls: [{ index: call, ...about, function: called }] }, null);
    return call === 0 ? this.#choice(choice, { function_call: called }, null) : "";
  }

  #delta(event: SaidEvent) {
    switch (event.type) {
      case "text-delta":
        return { content: event.text };
      case "picture":
        return { content: pictureText(event.mediaType, event.data) };
      case "refusal-delta":
        return { refusal: event.text };
      case "reasoning-delta": {
        const thought = { type: "reasoning.text", text: event.text, index: this.#thought(event.choice) };
        return { reasoning_content: event.text, reasoning_details: [thought] };
      }
      case "reasoning-signature": {
        const index = this.#thought(event.choice);
        this.#thoughts.set(event.choice, index + 1);
        const google = signatureOf("gemini", event.signature);
        if (google !== undefined) this.#signatures.set(event.choice, google);
        return { reasoning_details: [{ type: "reasoning.text", signature: event.signature, index }] };
      }
      case "hidden-reasoning": {
        const index = this.#thought(event.choice);
        this.#thoughts.set(event.choice, index + 1);
        return { reasoning_details: [{ type: "reasoning.encrypted", data: event.data, index }] };
      }
    }
  }

  #thought(choice: number): number {
    return this.#thoughts.get(choice) ?? 0;
  }

  #choice(index: number, delta: JsonRecord, finish: string | null, tokens?: readonly WrittenToken[]): string {
    const opening = this.#begun.has(index) ? {} : { role: "assistant", content: "" };
    this.#begun.add(index);
    return this.#chunk({
      choices: [{ index, delta: { ...opening, ...delta }, logprobs: writeLogprobs(tokens), finish_reason: finish }],
    });
  }

  #chunk(fields: JsonRecord): string {
    const chunk = {
      id: this.#id,
      object: "chat.completion.chunk",
      created: this.#envelope.created,
      model: this.#model,
    };
    const usage = this.#envelope.reportUsage ? { usage: null } : {};
    return writeServerSentEvent("", JSON.stringify({ ...chunk, ...usage, ...fields }));
  }
}

function callKey({ choice, call }: { readonly choice: number; readonly call: number }): string {
  return `${choice} ${call}`;
}
