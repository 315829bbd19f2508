import { randomUUID } from "node:crypto";
import type { ChatAnswer, ChatEvent } from "./chat-answer.ts";
import type { MessagePart } from "./message-part.ts";

const ID_LENGTH = 24;

/** Returns letters and digits that were never returned before. */
export function makeId(): string {
  return randomUUID().replaceAll("-", "").slice(0, ID_LENGTH);
}

/** Returns the answer with an id, and an id at each of its calls, none twice, where the provider has given none. */
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

/** Does the same to a stream, which begins with its id. */
export class IdCompletion {
  readonly #used = new Set<string>();
  #hasBegun = false;

  /** Returns the events that the caller gets for one of the provider. */
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
