import type { EventVerdict, MeterOptions, StreamMeter } from "../../format.ts";
import { EventSplitter } from "../../framing/event-splitter.ts";
import { readServerSentEvent } from "../../framing/server-sent-event.ts";
import { DeliveredText } from "../../shared/delivered-text.ts";
import { isRecord, parseJson } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { deltaText } from "./delta-text.ts";
import { carriesError, readStreamError } from "./read-error.ts";
import { readUsage } from "./read-usage.ts";

/** The end of a stream of OpenAI's format. */
export const END_MARK = "[DONE]";

const FORWARD: EventVerdict = { kind: "forward" };
const DROP: EventVerdict = { kind: "drop" };
const END: EventVerdict = { kind: "end" };

/** Looks at the events of an OpenAI stream as they pass. */
export class OpenAiStreamMeter implements StreamMeter {
  readonly #passUsage: boolean;
  readonly #delivered: DeliveredText<Buffer>;
  #usage: Usage | undefined;
  #finished = false;
  #sawContent = false;

  constructor({ passUsage, countText }: MeterOptions) {
    this.#passUsage = passUsage;
    this.#delivered = new DeliveredText(textOfEvents, countText);
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get finished(): boolean {
    return this.#finished;
  }

  get sawContent(): boolean {
    return this.#sawContent;
  }

  deliveredTokens(): number {
    return this.#delivered.tokens();
  }

  passes(events: Buffer): boolean {
    if (!this.#sawContent || isRemarkable(events)) return false;
    this.#delivered.add(events);
    return true;
  }

  look(event: Buffer): EventVerdict {
    if (this.passes(event)) return FORWARD;
    const { data } = readServerSentEvent(event);
    if (data.trim() === END_MARK) return END;
    const json = parseJson(data);
    if (!isRecord(json)) return FORWARD;
    if (carriesError(json)) return { kind: "error", failure: readStreamError(data) };
    const usage = readUsage(json);
    if (usage !== undefined) this.#usage = usage;
    const choices = json["choices"];
    if (usage !== undefined && Array.isArray(choices) && choices.length === 0 && !this.#passUsage) return DROP;
    if (carriesFinish(event)) this.#finished = true;
    if (this.#finished || deltaText(json) !== "") this.#sawContent = true;
    this.#delivered.add(event);
    return FORWARD;
  }
}

function textOfEvents(events: Buffer): string {
  const splitter = new EventSplitter();
  return [...splitter.push(events), splitter.flush()]
    .map((event) => deltaText(parseJson(readServerSentEvent(event).data)))
    .join("");
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
