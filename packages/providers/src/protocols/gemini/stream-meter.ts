import type { EventVerdict, MeterOptions } from "../../stream-meter.ts";
import { readServerSentEvent } from "../../framing/server-sent-event.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { writtenText } from "../../shared/written-text.ts";
import { completedBy, type Usage } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { isBlocked } from "./answer.ts";
import { carriesError, readStreamError } from "./read-error.ts";
import { readUsage } from "./usage.ts";

const REMARKABLE = /"(?:finishReason|blockReason|groundingMetadata|error)"/;

/** Meters a Gemini stream. The event with the finish reason is buffered until the charge is committed. */
export class GeminiStreamMeter extends PassingMeter {
  /** The last unread events. The newest has the current usage. */
  #unread: Buffer | undefined;

  constructor({ countText }: MeterOptions) {
    super(REMARKABLE, textOfAnswer, countText);
  }

  override get usage(): Usage | undefined {
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread !== undefined) this.#report(readUsage(lastOf(unread)));
    return this.reported;
  }

  override passing(events: Buffer, text: string, from: number): number {
    const end = super.passing(events, text, from);
    if (end > from) this.#unread = events.subarray(from, end);
    return end;
  }

  #report(usage: Usage | undefined): void {
    if (usage !== undefined) this.reported = completedBy(usage, this.reported);
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    const json = parseJson(data);
    if (carriesError(json)) return { kind: "error", failure: readStreamError(data) };
    if (!isRecord(json)) return { kind: "forward" };
    this.#unread = undefined;
    this.#report(readUsage(json));
    const isEnd = isBlocked(json) || listOf(json.candidates).some((each) => textOf(recordOf(each).finishReason) !== "");
    if (isEnd) this.finished = true;
    if (this.finished || textOfAnswer(json) !== "") this.sawContent = true;
    this.deliver(event);
    return { kind: isEnd ? "hold" : "forward" };
  }
}

function lastOf(events: Buffer): unknown {
  const text = events.toString().trimEnd();
  const start = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n"), text.lastIndexOf("\r\r"), 0);
  return parseJson(readServerSentEvent(Buffer.from(`${text.slice(start).trim()}\n\n`)).data);
}

/** Includes thoughts, tool names and arguments, and executed code. */
export function textOfAnswer(answer: unknown): string {
  return listOf(recordOf(answer).candidates)
    .flatMap((candidate) => listOf(recordOf(recordOf(candidate).content).parts))
    .filter(isRecord)
    .map(textOfPart)
    .join("");
}

function textOfPart(part: JsonRecord): string {
  const { functionCall: camel, function_call: snake, ...rest } = part;
  const call = camel ?? snake;
  const written = isRecord(call) ? textOf(call.name) + JSON.stringify(recordOf(call.args)) : "";
  const drawn = isRecord(part.inlineData) ? "[picture]" : "";
  return writtenText(rest) + written + drawn;
}
