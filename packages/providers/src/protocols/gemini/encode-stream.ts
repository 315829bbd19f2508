import type { AnswerEnvelope, StreamEncoder } from "../../format-sides.ts";
import { EventTooLongError } from "../../framing/event-splitter.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import { toolArguments } from "../../neutral/message-part.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { wantsThoughts, writeFinish } from "./answer.ts";
import { writeLogprobs } from "./logprobs.ts";
import { PartSignature } from "./thoughts/part-signature.ts";
import { writeUsage } from "./usage.ts";

/** Upper bound of one call's buffered arguments, in UTF-16 units. */
const MAX_INPUT_LENGTH = 4 * 1024 * 1024;

/** An incomplete call: this format only has whole calls. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
  input: string;
}

interface Candidate {
  readonly calls: Map<number, OpenCall>;
  readonly signature: PartSignature;
  finish: Finish | undefined;
}

/** Writes a stream of Gemini's format. The last event has finish reason and usage, so `finish` returns it. */
export class GeminiStreamEncoder implements StreamEncoder {
  readonly #showsThoughts: boolean;
  readonly #candidates = new Map<number, Candidate>();
  #id = "";
  #model = "";
  #usage: Usage | undefined;

  constructor({ request }: AnswerEnvelope) {
    this.#showsThoughts = wantsThoughts(request);
  }

  write(event: ChatEvent): string {
    switch (event.type) {
      case "answer-start":
        this.#id = event.id;
        this.#model = event.model;
        return "";
      case "text-delta":
        return this.#endCalls(event.choice) + this.#part(event.choice, { text: event.text }, event.logprobs);
      case "refusal-delta":
        return this.#endCalls(event.choice) + this.#part(event.choice, { text: event.text });
      case "picture": {
        const inlineData = { mimeType: event.mediaType, data: event.data };
        return this.#endCalls(event.choice) + this.#part(event.choice, { inlineData });
      }
      case "reasoning-delta":
        return this.#think(event.choice, event.text);
      case "reasoning-signature": {
        const before = this.#endCalls(event.choice);
        this.#candidate(event.choice).signature.addSignature(event.signature);
        return before;
      }
      case "hidden-reasoning": {
        const before = this.#endCalls(event.choice);
        this.#candidate(event.choice).signature.addHidden(event.data);
        return before;
      }
      case "tool-call-start":
        this.#candidate(event.choice).calls.set(event.call, { id: event.id, name: event.name, input: "" });
        return "";
      case "tool-input-delta":
        this.#addInput(event.choice, event.call, event.text);
        return "";
      case "answer-finish":
        this.#candidate(event.choice).finish = event.finish;
        return "";
      case "usage-report":
        this.#usage = event.usage;
        return "";
      default:
        return "";
    }
  }

  /** Empty: Google sends no pings. Older JavaScript and Python clients fail at a comment, Go's also at an empty line. */
  ping(): string {
    return "";
  }

  finish(): string {
    if (this.#candidates.size === 0) this.#candidate(0);
    const calls = [...this.#candidates.keys()].map((choice) => this.#endCalls(choice)).join("");
    const candidates = [...this.#candidates].map(([index, { signature, finish }]) => ({
      content: { ...signature.alone(), role: "model" },
      finishReason: writeFinish(finish ?? { reason: "stop", stopSequence: "" }),
      index,
    }));
    return calls + this.#event({ candidates });
  }

  #think(choice: number, text: string): string {
    const before = this.#endCalls(choice);
    this.#candidate(choice).signature.addText(text);
    return this.#showsThoughts ? before + this.#chunk(choice, [{ text, thought: true }]) : before;
  }

  #candidate(choice: number): Candidate {
    const known = this.#candidates.get(choice) ?? {
      calls: new Map<number, OpenCall>(),
      signature: new PartSignature(),
      finish: undefined,
    };
    this.#candidates.set(choice, known);
    return known;
  }

  #addInput(choice: number, call: number, text: string): void {
    const open = this.#candidate(choice).calls.get(call);
    if (open === undefined) return;
    open.input += text;
    if (open.input.length > MAX_INPUT_LENGTH) throw new EventTooLongError();
  }

  #endCalls(choice: number): string {
    const { calls } = this.#candidate(choice);
    let written = "";
    for (const { id, name, input } of calls.values()) {
      written += this.#part(choice, { functionCall: { id, name, args: toolArguments(input) } });
    }
    calls.clear();
    return written;
  }

  #part(choice: number, part: JsonRecord, tokens?: readonly WrittenToken[]): string {
    return this.#chunk(choice, [this.#candidate(choice).signature.on(part)], tokens);
  }

  #chunk(index: number, parts: readonly JsonRecord[], tokens?: readonly WrittenToken[]): string {
    return this.#event({ candidates: [{ content: { parts, role: "model" }, index, ...writeLogprobs(tokens) }] });
  }

  #event(fields: JsonRecord): string {
    const usageMetadata = this.#usage === undefined ? {} : { usageMetadata: writeUsage(this.#usage) };
    const known = { ...usageMetadata, modelVersion: this.#model, responseId: this.#id };
    return writeServerSentEvent("", JSON.stringify({ ...fields, ...known }));
  }
}
