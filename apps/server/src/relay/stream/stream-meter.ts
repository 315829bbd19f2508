import { deltaText } from "@one-api/providers/formats/openai/delta-text";
import { carriesError } from "@one-api/providers/formats/openai/read-error";
import { readUsage } from "@one-api/providers/formats/openai/read-usage";
import { isRecord } from "@one-api/providers/shared/json-fields";
import type { Usage } from "@one-api/providers/usage";
import { EventSplitter } from "./event-splitter.ts";

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

/** Raw events kept before they are counted, in bytes: the memory that a stream may take for this. */
const KEPT_BYTES = 64 * 1024;

/** Counts the model tokens of a text. */
type CountText = (text: string) => number;

/**
 * Counts what a stream has delivered, for streams that end without the provider's own count. Events are kept unread and counted by the
 * bufferful, so that a stream which reports its usage costs next to nothing and a long one takes no more memory than a short one.
 */
class DeliveredText {
  readonly #readText: (events: Buffer) => string;
  readonly #countText: CountText;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #counted = 0;

  /** `readText` returns the text that whole events add to the answer. */
  constructor(readText: (events: Buffer) => string, countText: CountText) {
    this.#readText = readText;
    this.#countText = countText;
  }

  add(events: Buffer): void {
    this.#kept.push(events);
    this.#keptBytes += events.length;
    if (this.#keptBytes > KEPT_BYTES) this.tokens();
  }

  /** Model tokens delivered so far, as counted here. */
  tokens(): number {
    if (this.#kept.length > 0) {
      this.#counted += this.#countText(this.#kept.map(this.#readText).join(""));
      this.#kept = [];
      this.#keptBytes = 0;
    }
    return this.#counted;
  }
}

/** What the relay looks at in an event of an OpenAI stream. */
interface EventFacts {
  readonly kind: "done" | "data" | "comment";
  /** The JSON text of the data; empty for the rest. */
  readonly data: string;
}

/** Reads one event's `data` lines, joined as the standard says. */
function readEvent(event: Buffer): EventFacts {
  const lines = event.toString().split(/\r\n|\n|\r/);
  const data = lines
    .filter((line) => line === "data" || line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""))
    .join("\n");
  if (data.trim() === "[DONE]") return { kind: "done", data: "" };
  return data === "" ? { kind: "comment", data: "" } : { kind: "data", data };
}

/** A usage that is not null, the end mark, an error (MiniMax: `base_resp`), or a finish reason that is a text. */
const REMARKABLE = /"usage"\s*:\s*\{|\[DONE\]|"error"|"base_resp"|"finish_reason"\s*:\s*"/;
const FINISH = /"finish_reason"\s*:\s*"/;

/**
 * False when nothing in the events needs reading: they are plain pieces of the answer. Cheap, no JSON is built: one search over the bytes, a
 * letter each, of which all that is looked for has one.
 */
function isRemarkable(events: Buffer): boolean {
  return REMARKABLE.test(events.toString("latin1"));
}

/** True when the event names a finish reason that is a text. */
function carriesFinish(event: Buffer): boolean {
  return FINISH.test(event.toString("latin1"));
}
