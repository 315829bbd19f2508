import type { AnswerEnvelope, StreamEncoder } from "../../../format.ts";
import { writeServerSentEvent } from "../../../framing/server-sent-event.ts";
import type { ChatEvent } from "../../../neutral/chat-answer.ts";
import { pictureText } from "../../../neutral/message-part.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";
import type { Usage } from "../../../usage.ts";
import { writeUsage } from "../../openai/write-usage.ts";
import { writeChoice, writeHead } from "./answer.ts";

/** Writes a stream of a completion. Thoughts have no place in it. */
export class CompletionStreamEncoder implements StreamEncoder {
  readonly #envelope: AnswerEnvelope;
  #id = "";
  #model = "";
  #usage: Usage | undefined;

  constructor(envelope: AnswerEnvelope) {
    this.#envelope = envelope;
  }

  write(event: ChatEvent): string {
    switch (event.type) {
      case "answer-start":
        this.#id = event.id;
        this.#model = event.model;
        return "";
      case "usage-report":
        this.#usage = event.usage;
        return "";
      case "text-delta":
      case "refusal-delta":
        return this.#chunk({ choices: [writeChoice(event.choice, event.text, undefined, this.#envelope)] });
      case "picture":
        return this.#chunk({
          choices: [writeChoice(event.choice, pictureText(event.mediaType, event.data), undefined, this.#envelope)],
        });
      case "answer-finish":
        return this.#chunk({ choices: [writeChoice(event.choice, "", event.finish, this.#envelope)] });
      default:
        return "";
    }
  }

  ping(): string {
    return ": ping\n\n";
  }

  finish(): string {
    if (!this.#envelope.reportUsage || this.#usage === undefined) return "";
    return this.#chunk({ choices: [], usage: writeUsage(this.#usage) });
  }

  #chunk(fields: JsonRecord): string {
    return writeServerSentEvent("", JSON.stringify({ ...writeHead(this.#id, this.#model, this.#envelope), ...fields }));
  }
}
