import type { AnswerEnvelope, StreamEncoder } from "../../../format-sides.ts";
import { COMMENT, writeServerSentEvent } from "../../../framing/server-sent-event.ts";
import type { ChatEvent } from "../../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../../neutral/logprobs.ts";
import { pictureText } from "../../../neutral/message-part.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";
import type { Usage } from "../../../usage.ts";
import { writeUsage } from "../../openai/write-usage.ts";
import { writeChoice, writeHead } from "./answer.ts";
import { lettersOfPrompt, lettersOfTokens, writeLogprobs } from "./logprobs.ts";

/** Thoughts are dropped. */
export class CompletionStreamEncoder implements StreamEncoder {
  readonly #envelope: AnswerEnvelope;
  readonly #offsets = new Map<number, number>();
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
        return this.#text(event.choice, event.text, event.logprobs);
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
    return COMMENT;
  }

  finish(): string {
    if (!this.#envelope.reportUsage || this.#usage === undefined) return "";
    return this.#chunk({ choices: [], usage: writeUsage(this.#usage) });
  }

  #text(choice: number, text: string, tokens: readonly WrittenToken[] | undefined): string {
    const offset = this.#offsets.get(choice) ?? lettersOfPrompt(this.#envelope.request);
    this.#offsets.set(choice, offset + lettersOfTokens(tokens ?? []));
    const piece = writeChoice(choice, text, undefined, this.#envelope);
    return this.#chunk({ choices: [{ ...piece, logprobs: writeLogprobs(tokens, offset) }] });
  }

  #chunk(fields: JsonRecord): string {
    return writeServerSentEvent("", JSON.stringify({ ...writeHead(this.#id, this.#model, this.#envelope), ...fields }));
  }
}
