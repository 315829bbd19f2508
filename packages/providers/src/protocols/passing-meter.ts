import type { EventVerdict, StreamMeter } from "../stream-meter.ts";
import { EventSplitter } from "../framing/event-splitter.ts";
import { readServerSentEvent } from "../framing/server-sent-event.ts";
import { DeliveredText } from "../shared/delivered-text.ts";
import { parseJson } from "../shared/json-fields.ts";
import type { Usage } from "../usage.ts";

const COLON = 0x3a;

/** Base of the meters for server-sent events. Each format defines its remarkable events and handles them. */
export abstract class PassingMeter implements StreamMeter {
  protected reported: Usage | undefined;
  finished = false;
  sawContent = false;
  readonly #remarkable: RegExp;
  readonly #content: RegExp | undefined;
  readonly #readText: (event: unknown) => string;
  readonly #delivered: DeliveredText<Buffer>;

  /**
   * | parameter | meaning |
   * |---|---|
   * | `remarkable` | matches every event that is not a plain delta; a match in a delta only costs time |
   * | `readText` | returns the generated text of an event's JSON |
   * | `content` | matches only deltas with text, but not all: a match starts the answer without parsing |
   * | `countedText` | as `readText`, called once per event in order, for the token count |
   */
  constructor(
    remarkable: RegExp,
    readText: (event: unknown) => string,
    countText: (text: string) => number,
    content?: RegExp,
    countedText = readText,
  ) {
    this.#remarkable = remarkable;
    this.#content = content;
    this.#readText = readText;
    this.#delivered = new DeliveredText((events) => textOfEvents(events, countedText), countText, beginningOf);
  }

  get usage(): Usage | undefined {
    return this.reported;
  }

  deliveredTokens(): number {
    return this.#delivered.tokens();
  }

  saysSomething(events: Buffer): boolean {
    return textOfEvents(events, this.#readText) !== "";
  }

  /** Parses no JSON: one search of the text, and one for the start of the answer. */
  passing(events: Buffer, text: string, from: number): number {
    if (!this.sawContent && (this.#content === undefined || events[from] === COLON)) return from;
    const found = text.slice(from).search(this.#remarkable);
    const end = found === -1 ? events.length : startOfEvent(text, from + found);
    if (end <= from) return from;
    this.sawContent ||= this.#content?.test(text.slice(from, end)) === true;
    if (!this.sawContent) return from;
    this.#delivered.add(events.subarray(from, end));
    return end;
  }

  look(event: Buffer): EventVerdict {
    return this.read(readServerSentEvent(event).data, event);
  }

  protected abstract read(data: string, event: Buffer): EventVerdict;

  protected deliver(event: Buffer): void {
    this.#delivered.add(event);
  }
}

function startOfEvent(text: string, at: number): number {
  const feeds = text.lastIndexOf("\n\n", at);
  const lone = feeds === -1 ? 0 : feeds + 2;
  if (!text.includes("\r")) return lone;
  const [pairs, carriages] = [text.lastIndexOf("\n\r\n", at), text.lastIndexOf("\r\r", at)];
  return Math.max(lone, pairs === -1 ? 0 : pairs + 3, carriages === -1 ? 0 : carriages + 2);
}

const PAIR = "\n\n";

/** Copies the whole events within the first `length` bytes; returns all of them without such a boundary. */
function beginningOf(events: Buffer, length: number): Buffer {
  const pair = events.lastIndexOf(PAIR, length - PAIR.length);
  return pair === -1 ? events : Buffer.from(events.subarray(0, pair + PAIR.length));
}

function textOfEvents(events: Buffer, readText: (event: unknown) => string): string {
  const splitter = new EventSplitter();
  return [...splitter.push(events), splitter.flush()]
    .map((event) => readText(parseJson(readServerSentEvent(event).data)))
    .join("");
}
