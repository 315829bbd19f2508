import type { EventVerdict, StreamMeter } from "../format.ts";
import { EventSplitter } from "../framing/event-splitter.ts";
import { readServerSentEvent } from "../framing/server-sent-event.ts";
import { DeliveredText } from "../shared/delivered-text.ts";
import { parseJson } from "../shared/json-fields.ts";
import type { Usage } from "../usage.ts";

/** What a comment begins with. */
const COLON = 0x3a;

/** What the meters of all formats of server-sent events have in common; a format says which events are remarkable and looks at them. */
export abstract class PassingMeter implements StreamMeter {
  /** As last reported, see `usage`. */
  protected reported: Usage | undefined;
  finished = false;
  sawContent = false;
  readonly #remarkable: RegExp;
  readonly #content: RegExp | undefined;
  readonly #readText: (event: unknown) => string;
  readonly #delivered: DeliveredText<Buffer>;

  /**
   * `remarkable` is found in every event that is no plain piece of the answer; found in a piece it costs a closer look and nothing else.
   * `readText` returns what an event's JSON adds to what the model wrote. `content` is found nowhere but in pieces that say something, though
   * not in all of them: where it is, the answer has begun and nothing needs to be read. `countedText` reads each event once, in order, for the count.
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

  /** Cheap, no JSON is built: one search over the text, and one for where the answer begins. */
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

  /** Looks at the data of one event that may be remarkable. */
  protected abstract read(data: string, event: Buffer): EventVerdict;

  /** Notes an event that the caller gets as a piece of the answer. */
  protected deliver(event: Buffer): void {
    this.#delivered.add(event);
  }
}

/** Where the event begins that holds the letter at `at`. */
function startOfEvent(text: string, at: number): number {
  const feeds = text.lastIndexOf("\n\n", at);
  const lone = feeds === -1 ? 0 : feeds + 2;
  if (!text.includes("\r")) return lone;
  const [pairs, carriages] = [text.lastIndexOf("\n\r\n", at), text.lastIndexOf("\r\r", at)];
  return Math.max(lone, pairs === -1 ? 0 : pairs + 3, carriages === -1 ? 0 : carriages + 2);
}

const PAIR = "\n\n";

/** A copy of the whole events in the first so many bytes; all of them where that cannot be told. */
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
