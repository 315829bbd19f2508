import { randomUUID } from "node:crypto";
import type { ChatAnswer, ChatEvent } from "./chat-answer.ts";
import type { MessagePart } from "./message-part.ts";

const ID_LENGTH = 24;

export function makeId(): string {
  return randomUUID().replaceAll("-", "").slice(0, ID_LENGTH);
}

/** Returns the answer with unique ids: adds those that the provider has omitted, to the answer and to its tool calls. */
export function completeIds(answer: ChatAnswer): ChatAnswer {
  const used = new Set<string>();
  const complete = (part: MessagePart): MessagePart =>
    part.type === "tool-call" ? { ...part, id: uniqueId(part.id, used) } : part;
  return {
    ...answer,
    id: answer.id || makeId(),
    choices: answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map(complete) })),
  };
}

/** Completes the ids of a stream, which begins with its own. */
export class IdCompletion {
  readonly #used = new Set<string>();
  #hasBegun = false;

  read(event: ChatEvent): readonly ChatEvent[] {
    if (event.type === "error") return [event];
    const begins = !this.#hasBegun;
    this.#hasBegun = true;
    if (event.type === "answer-start") return begins ? [{ ...event, id: event.id || makeId() }] : [];
    const completed = event.type === "tool-call-start" ? { ...event, id: uniqueId(event.id, this.#used) } : event;
    return begins ? [{ type: "answer-start", id: makeId(), model: "" }, completed] : [completed];
  }
}

function uniqueId(given: string, used: Set<string>): string {
  const id = given === "" || used.has(given) ? `call_${makeId()}` : given;
  used.add(id);
  return id;
}
