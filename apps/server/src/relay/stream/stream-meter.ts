import { deltaText } from "@one-api/providers/formats/openai/delta-text";
import { carriesError } from "@one-api/providers/formats/openai/read-error";
import { readUsage } from "@one-api/providers/formats/openai/read-usage";
import type { Usage } from "@one-api/providers/usage";
import { isRecord } from "../body/read-body.ts";
import { type CountText, DeliveredText } from "./delivered-text.ts";
import { EventSplitter } from "./event-splitter.ts";
import { carriesFinish, isRemarkable, readEvent } from "./read-event.ts";

/** What to do with an event: pass it on, keep it back, end with it (the end mark), or end with an error (the JSON of it). */
export type EventVerdict =
  | { readonly kind: "forward" }
  | { readonly kind: "drop" }
  | { readonly kind: "end" }
  | { readonly kind: "error"; readonly data: string };

const FORWARD: EventVerdict = { kind: "forward" };
const DROP: EventVerdict = { kind: "drop" };
const END: EventVerdict = { kind: "end" };

/** Looks at the events of an OpenAI stream as they pass: usage, finish and end. Most events are only searched, never parsed. */
export class StreamMeter {
  readonly #passUsage: boolean;
  readonly #delivered: DeliveredText;
  #usage: Usage | undefined;
  #finished = false;
  #sawContent = false;

  /** `passUsage`: the caller asked for the usage chunk, so it goes through. */
  constructor(passUsage: boolean, countText: CountText) {
    this.#passUsage = passUsage;
    this.#delivered = new DeliveredText(textOfEvents, countText);
  }

  /** The usage as last reported by the provider. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** True when a finish reason has passed: the answer is whole, even without an end mark. */
  get finished(): boolean {
    return this.#finished;
  }

  /** True when anything of the answer has passed. */
  get sawContent(): boolean {
    return this.#sawContent;
  }

  /** Completion tokens delivered so far, counted here. */
  deliveredTokens(): number {
    return this.#delivered.tokens();
  }

  /** Takes whole events that hold nothing but pieces of the answer; false when they must be looked at one by one. */
  passes(events: Buffer): boolean {
    if (isRemarkable(events)) return false;
    this.#sawContent = true;
    this.#delivered.add(events);
    return true;
  }

  /** Looks at one event. */
  look(event: Buffer): EventVerdict {
    if (this.passes(event)) return FORWARD;
    const verdict = this.#read(event);
    if (verdict !== FORWARD) return verdict;
    if (carriesFinish(event)) this.#finished = true;
    this.#sawContent = true;
    this.#delivered.add(event);
    return FORWARD;
  }

  #read(event: Buffer): EventVerdict {
    const facts = readEvent(event);
    if (facts.kind === "done") return END;
    const json = parseData(facts.data);
    if (!isRecord(json)) return FORWARD;
    if (carriesError(json)) return { kind: "error", data: facts.data };
    const usage = readUsage(json);
    if (usage === undefined) return FORWARD;
    this.#usage = usage;
    const choices = json["choices"];
    const onlyUsage = Array.isArray(choices) && choices.length === 0;
    return onlyUsage && !this.#passUsage ? DROP : FORWARD;
  }
}

function textOfEvents(events: Buffer): string {
  const splitter = new EventSplitter();
  return [...splitter.push(events), splitter.flush()]
    .map((event) => deltaText(parseData(readEvent(event).data)))
    .join("");
}

function parseData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
