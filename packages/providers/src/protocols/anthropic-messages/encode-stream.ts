import type { StreamEncoder } from "../../format-sides.ts";
import { EventTooLongError } from "../../framing/event-splitter.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import { pictureText, type ReasoningPart } from "../../neutral/message-part.ts";
import { DigestSeal, type Thought } from "../../neutral/sealed-thoughts.ts";
import { isNamed } from "../../neutral/signature.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { ObjectEnd } from "../../shared/object-end.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { callBlock, hiddenBlock, textBlock, writeFinish, writeId } from "./answer.ts";
import { NEWER_VERSION, writeUsage } from "./usage.ts";

type BlockKind = "text" | "thinking" | "redacted_thinking" | "tool_use";

/** Upper bound of buffered arguments, in UTF-16 units. */
const MAX_WAITING_LENGTH = 4 * 1024 * 1024;

interface WaitingCall {
  readonly id: string;
  readonly name: string;
  input: string;
}

/** Writes a stream of Anthropic's format: consecutive blocks, then usage and stop reason. */
export class AnthropicStreamEncoder implements StreamEncoder {
  readonly #version: string;
  #open: BlockKind | undefined;
  #index = -1;
  readonly #calls = new Map<number, number>();
  #call: { readonly call: number; readonly input: ObjectEnd } | undefined;
  readonly #waiting = new Map<number, WaitingCall>();
  #usage: Usage | undefined;
  #finish: Finish = { reason: "stop", stopSequence: "" };
  #started = false;
  #seal: DigestSeal | undefined;
  /**
   * Signatures without a thought, written before the next block: always before a call, before others only for callers
   * that ask for thoughts.
   */
  #loose: ReasoningPart[] = [];
  readonly #wantsThoughts: boolean;

  constructor(version: string, wantsThoughts: boolean) {
    this.#version = version;
    this.#wantsThoughts = wantsThoughts;
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
        return this.#think(event.text);
      case "reasoning-signature":
        return this.#sign(event.signature);
      case "hidden-reasoning":
        return this.#hide({ type: "hidden-reasoning", data: event.data });
      case "tool-call-start":
        if (this.#call?.input.isWhole === false) {
          this.#waiting.set(event.call, { id: event.id, name: event.name, input: "" });
          return "";
        }
        return this.#leave() + this.#hideLoose(true) + this.#beginCall(event.call, event);
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

  #think(text: string): string {
    const entered = this.#enterThought();
    this.#seal ??= new DigestSeal();
    this.#seal.add(text);
    return entered + this.#delta(this.#index, { type: "thinking_delta", thinking: text });
  }

  #enterThought(): string {
    return this.#enter("thinking", () => ({ type: "thinking", thinking: "", signature: "" }));
  }

  /** Ends the open thought with its signature. Anthropic's own signature may also form a block without text. */
  #sign(signature: string): string {
    if (this.#open === "thinking") return this.#signOpen(signature) + this.#leave();
    if (!isNamed(signature)) return this.#enterThought() + this.#signOpen(signature) + this.#leave();
    this.#loose.push({ type: "reasoning", text: "", signature });
    return "";
  }

  /** Clients drop thoughts without a signature, so all but Anthropic's own are sealed. */
  #signOpen(signature: string): string {
    const isOwn = signature !== "" && !isNamed(signature);
    const written = isOwn ? signature : (this.#seal?.write(signature) ?? "");
    this.#seal = undefined;
    return this.#delta(this.#index, { type: "signature_delta", signature: written });
  }

  #hide(thought: Thought): string {
    return this.#leave() + this.#start("", "") + this.#begin("redacted_thinking", hiddenBlock(thought)) + this.#leave();
  }

  /** Clients drop thoughts without a text, so a signature alone becomes a hidden thought. */
  #hideLoose(isNeeded: boolean): string {
    const loose = this.#loose;
    if (loose.length === 0) return "";
    this.#loose = [];
    return isNeeded ? loose.map((part) => this.#hide(part)).join("") : "";
  }

  #text(text: string): string {
    const loose = this.#hideLoose(this.#wantsThoughts);
    const entered = loose + this.#enter("text", () => textBlock("", this.#version));
    return entered + this.#delta(this.#index, { type: "text_delta", text });
  }

  /** Requires that no block is open. */
  #beginCall(call: number, { id, name }: Pick<WaitingCall, "id" | "name">): string {
    const begun = this.#start("", "") + this.#begin("tool_use", callBlock(id, name, {}, this.#version));
    this.#calls.set(call, this.#index);
    this.#call = { call, input: new ObjectEnd() };
    return begun;
  }

  #growCall(call: number, text: string): string {
    const waiting = this.#waiting.get(call);
    if (waiting !== undefined) {
      waiting.input += text;
      if (waiting.input.length > MAX_WAITING_LENGTH) throw new EventTooLongError();
      return "";
    }
    return this.#addInput(call, text) + this.#goOn();
  }

  #addInput(call: number, text: string): string {
    if (this.#call?.call === call) this.#call.input.push(text);
    return this.#delta(this.#calls.get(call) ?? this.#index, { type: "input_json_delta", partial_json: text });
  }

  #goOn(): string {
    let written = "";
    for (const [call, waiting] of this.#waiting) {
      if (this.#call?.input.isWhole === false) break;
      this.#waiting.delete(call);
      written += this.#close() + this.#beginCall(call, waiting) + this.#addInput(call, waiting.input);
    }
    return written;
  }

  ping(): string {
    return PING;
  }

  finish(): string {
    const usage = writeUsage(this.#usage ?? NO_USAGE, this.#version);
    const { cache_creation: _split, service_tier: _tier, speed: _speed, inference_geo: _place, ...known } = usage;
    return (
      this.#start("", "") +
      this.#leave() +
      this.#hideLoose(this.#wantsThoughts) +
      write("message_delta", { delta: writeFinish(this.#finish, this.#calls.size > 0, this.#version), usage: known })
    );
  }

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

  /** Continues an open block of the kind, or closes the open block and begins a new one. */
  #enter(kind: BlockKind, block: () => JsonRecord): string {
    if (this.#open === kind) return "";
    return this.#start("", "") + this.#leave() + this.#begin(kind, block());
  }

  #begin(kind: BlockKind, block: JsonRecord): string {
    this.#open = kind;
    this.#index += 1;
    return write("content_block_start", { index: this.#index, content_block: block });
  }

  /** Closes the open block and writes all waiting calls, before a block of another kind. */
  #leave(): string {
    let written = this.#close();
    for (const [call, waiting] of this.#waiting) {
      this.#waiting.delete(call);
      written += this.#beginCall(call, waiting) + this.#addInput(call, waiting.input) + this.#close();
    }
    return written;
  }

  #close(): string {
    if (this.#open === undefined) return "";
    const signed = this.#seal === undefined ? "" : this.#signOpen("");
    this.#open = undefined;
    this.#call = undefined;
    return signed + write("content_block_stop", { index: this.#index });
  }

  #delta(index: number, delta: JsonRecord): string {
    return write("content_block_delta", { index, delta });
  }
}

/** Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming#ping-events */
export const PING = write("ping", {});

function write(type: string, fields: JsonRecord): string {
  return writeServerSentEvent(type, JSON.stringify({ type, ...fields }));
}
