import type { StreamEncoder } from "../../format.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import { pictureText } from "../../neutral/message-part.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { callBlock, textBlock, writeFinish, writeId } from "./answer.ts";
import { NEWER_VERSION, writeUsage } from "./usage.ts";

/** What the block that is being written holds. */
type BlockKind = "text" | "thinking" | "redacted_thinking" | "tool_use";

/** Writes a stream of Anthropic's format: blocks one after the other, the usage and the reason at the end. */
export class AnthropicStreamEncoder implements StreamEncoder {
  readonly #version: string;
  #open: BlockKind | undefined;
  #index = -1;
  /** Indexes of the blocks of tool calls, by the number of the call. */
  readonly #calls = new Map<number, number>();
  #usage: Usage | undefined;
  #finish: Finish = { reason: "stop", stopSequence: "" };
  #started = false;
  /** A signature without a thought: it is told where a call follows that cannot go back without it. */
  #signature = "";

  constructor(version: string) {
    this.#version = version;
  }

  write(event: ChatEvent): string {
    if ("choice" in event && event.choice !== 0) return "";
    switch (event.type) {
      case "answer-start":
        return this.#start(event.id, event.model);
      case "text-delta":
      case "refusal-delta":
        return this.#text(event.text);
      case "picture":
        return this.#text(pictureText(event.mediaType, event.data));
      case "reasoning-delta":
        return this.#enterThought() + this.#delta(this.#index, { type: "thinking_delta", thinking: event.text });
      case "reasoning-signature":
        if (this.#open !== "thinking") {
          this.#signature = event.signature;
          return "";
        }
        return this.#delta(this.#index, { type: "signature_delta", signature: event.signature }) + this.#leave();
      case "hidden-reasoning":
        return (
          this.#leave() +
          this.#enter("redacted_thinking", () => ({ type: "redacted_thinking", data: event.data })) +
          this.#leave()
        );
      case "tool-call-start": {
        const before = this.#leave() + this.#lateThought();
        const started = this.#enter("tool_use", () => callBlock(event.id, event.name, {}, this.#version));
        this.#calls.set(event.call, this.#index);
        return before + started;
      }
      case "tool-input-delta":
        return this.#delta(this.#calls.get(event.call) ?? this.#index, {
          type: "input_json_delta",
          partial_json: event.text,
        });
      case "answer-finish":
        this.#finish = event.finish;
        return "";
      case "usage-report":
        this.#usage = event.usage;
        return "";
      case "stream-end":
      case "error":
        return "";
    }
  }

  #text(text: string): string {
    const entered = this.#enter("text", () => textBlock("", this.#version));
    return entered + this.#delta(this.#index, { type: "text_delta", text });
  }

  ping(): string {
    return write("ping", {});
  }

  finish(): string {
    const usage = writeUsage(this.#usage ?? NO_USAGE, this.#version);
    const { cache_creation: _split, service_tier: _tier, speed: _speed, inference_geo: _place, ...known } = usage;
    return (
      this.#start("", "") +
      this.#leave() +
      write("message_delta", { delta: writeFinish(this.#finish, this.#calls.size > 0, this.#version), usage: known })
    );
  }

  /** Once: what the provider knows at the start of it. */
  #start(id: string, model: string): string {
    if (this.#started) return "";
    this.#started = true;
    const later = this.#version === NEWER_VERSION ? { stop_details: null, container: null, diagnostics: null } : {};
    return write("message_start", {
      message: {
        id: writeId(id),
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...later,
        usage: writeUsage(NO_USAGE, this.#version),
      },
    });
  }

  #lateThought(): string {
    const signature = this.#signature;
    this.#signature = "";
    if (signature === "") return "";
    return this.#enterThought() + this.#delta(this.#index, { type: "signature_delta", signature }) + this.#leave();
  }

  #enterThought(): string {
    return this.#enter("thinking", () => ({ type: "thinking", thinking: "", signature: "" }));
  }

  /** Goes on with a block of the kind, or ends what is open and begins one. */
  #enter(kind: BlockKind, block: () => JsonRecord): string {
    if (this.#open === kind) return "";
    const before = this.#start("", "") + this.#leave();
    this.#open = kind;
    this.#index += 1;
    return before + write("content_block_start", { index: this.#index, content_block: block() });
  }

  #leave(): string {
    if (this.#open === undefined) return "";
    this.#open = undefined;
    return write("content_block_stop", { index: this.#index });
  }

  #delta(index: number, delta: JsonRecord): string {
    return write("content_block_delta", { index, delta });
  }
}

function write(type: string, fields: JsonRecord): string {
  return writeServerSentEvent(type, JSON.stringify({ type, ...fields }));
}
