import { type Failure, failureOf } from "@one-api/providers/failure";
import type { DeliveredBeside, Format, RequestEdits, StreamMeter } from "@one-api/providers/format";
import { endOfEvent, EventSplitter } from "@one-api/providers/framing/event-splitter";
import { SERVER_SENT_EVENTS } from "@one-api/providers/framing/framing";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import { withExactNumbers } from "@one-api/providers/shared/exact-numbers";
import { isRecord, type JsonRecord, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { SEAL_MARK } from "@one-api/providers/neutral/sealed-thoughts";
import { holdsResult } from "@one-api/providers/shared/holds-result";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import type { Usage } from "@one-api/providers/usage";
import { editFields, type FieldSpan, findFields, type ParsedRequest, type RequestBody } from "../body/index.ts";
import { MOST_ERROR_BYTES } from "./read-whole-answer.ts";
import type { AnswerStream, ReadAnswer, Translation, WrittenRequest } from "./translation.ts";

/** The way of calls whose caller and provider speak the same format: bytes are looked at and pass as they are. */
export function createPassThrough(format: Format, countText: (text: string) => number): Translation {
  const closing = Buffer.from(format.closing);
  return {
    writeRequest: (ask, edits) => writeRequest(format, ask, edits),
    streamType: SERVER_SENT_EVENTS.contentType,
    openStream: ({ wantsUsage }) =>
      new PassThroughStream(
        format.meter({ passUsage: wantsUsage, countText }),
        closing,
        wantsUsage ? format.usageEvent : undefined,
      ),
    readAnswer(ask, status, headers, bytes) {
      const read = readAnswer(format, status, headers, bytes);
      const mended = read.ok ? format.mendAnswer?.(ask.body.outline, bytes) : undefined;
      return read.ok && mended !== undefined ? { ...read, bytes: mended } : read;
    },
    readError: (status, headers, body) => format.readError(status, headers, body),
    answerText: (bytes) => readText(format, bytes.toString()),
  };
}

function readText(format: Format, answer: string): string {
  const json = parseJson(answer);
  return json === undefined ? answer : format.answerText(json);
}

/** The caller's own bytes, but for what is edited. */
function writeRequest(format: Format, ask: ParsedRequest, edits: RequestEdits): WrittenRequest {
  const { body, formatHeaders, formatQuery, stream } = ask;
  const isSealed = format.unseal !== undefined && body.bytes.includes(SEAL_MARK);
  // Only what rewrites messages needs them as they are.
  const isWhole = isSealed || edits.systemPrompt !== "" || format.rewritesWhole?.(body.outline) === true;
  const rewritten = [...(isWhole ? MESSAGE_FIELDS : []), ...(edits.maxTokens === undefined ? [] : LIMIT_FIELDS)];
  const json = withOwnNumbers(isWhole ? body.json : body.outline, body, rewritten);
  const fields = format.edit(json, edits);
  const unsealed = isSealed ? format.unseal?.(json, edits.model) : undefined;
  return {
    body: editFields(body.bytes, body.fields, unsealed === undefined ? fields : new Map([...fields, ...unsealed])),
    dropped: isSealed ? ["messages.reasoning"] : [],
    systemPrompt: edits.systemPrompt === "" ? undefined : format.systemPromptEffect(json),
    formatHeaders,
    formatQuery,
    stream,
  };
}

/** Fields that are written anew where messages change. */
const MESSAGE_FIELDS = ["messages", "contents", "input"];
/** Objects in which the limit of an answer is set. */
const LIMIT_FIELDS = ["generationConfig", "generation_config"];

/** Returns the body with the numbers below these fields as the caller has written them. */
function withOwnNumbers(json: JsonRecord, { bytes, fields }: RequestBody, names: readonly string[]): JsonRecord {
  const written = names.flatMap((name) => {
    const span = fields.get(name);
    if (span === undefined) return [];
    return [[name, withExactNumbers(json[name], bytes.toString("utf8", span.start, span.end))] as const];
  });
  return written.length === 0 ? json : { ...json, ...Object.fromEntries(written) };
}

/** Up to this many bytes an answer is parsed as a whole, which is cheaper than a search; of a longer one only what is needed is built. */
const PARSED_WHOLE_BYTES = 32 * 1024;

function readAnswer(format: Format, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer {
  const answer = bytes.length <= PARSED_WHOLE_BYTES ? parseJson(bytes.toString()) : pickFacts(bytes);
  if (
    !isRecord(answer) ||
    Object.keys(answer).length === 0 ||
    format.carriesError(answer) ||
    !holdsResult(format, answer)
  ) {
    const failure = format.readError(status, headers, bytes.toString("utf8", 0, MOST_ERROR_BYTES));
    return { ok: false, failure };
  }
  return { ok: true, bytes, usage: format.readUsage(answer), keptId: format.readKeptId?.(answer) };
}

/** Values longer than this are the answer itself, not what is said about it. */
const FACT_BYTES = 4 * 1024;

/** The short fields of a long answer; its long ones are only named. */
function pickFacts(bytes: Buffer): unknown {
  const fields = findFields(bytes);
  if (fields === undefined) return undefined;
  const read = ({ start, end }: FieldSpan) =>
    end - start > FACT_BYTES ? undefined : parseJson(bytes.toString("utf8", start, end));
  return Object.fromEntries([...fields].map(([name, span]) => [name, read(span)]));
}

const COLON = 0x3a;

function joined(buffers: readonly Buffer[]): Buffer | undefined {
  return buffers.length > 1 ? Buffer.concat(buffers) : buffers[0];
}

/** A stream that passes as it came, but for what the caller did not ask for and the end mark. */
class PassThroughStream implements AnswerStream {
  #closing: Buffer;
  readonly #splitter = new EventSplitter();
  readonly #meter: StreamMeter;
  #state: AnswerStream["state"] = "running";
  #failure: Failure | undefined;
  /** What came before the answer began: nothing of it leaves while another channel may still be tried. */
  #early: Buffer[] = [];
  /** Is the end, unless more comes. */
  #held: Buffer | undefined;
  /** How usage is told to a caller who has asked for it; undefined where that is the provider's own matter. */
  readonly #usageEvent: Format["usageEvent"];
  /** A piece of the answer, which names it. */
  #piece: Buffer | undefined;

  constructor(meter: StreamMeter, closing: Buffer, usageEvent: Format["usageEvent"]) {
    this.#meter = meter;
    this.#usageEvent = usageEvent;
    this.#closing = closing;
  }

  /** The provider's own end as it came; the format's where it sent none. */
  get closing(): Buffer {
    return this.#closing;
  }

  get state(): AnswerStream["state"] {
    return this.#state;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  get sawContent(): boolean {
    return this.#meter.sawContent;
  }

  get keptId(): string | undefined {
    return this.#meter.keptId;
  }

  get usage(): Usage | undefined {
    return this.#meter.usage;
  }

  saysSomething(piece: Buffer): boolean {
    return this.#meter.saysSomething?.(piece) ?? true;
  }

  deliveredTokens(): number {
    return this.#meter.deliveredTokens();
  }

  get beside(): DeliveredBeside | undefined {
    return this.#meter.beside;
  }

  tellUsage(usage: Usage): Buffer {
    if (this.#usageEvent === undefined || this.usage !== undefined || this.#piece === undefined) return Buffer.alloc(0);
    return Buffer.from(this.#usageEvent(usage, recordOf(parseJson(readServerSentEvent(this.#piece).data))));
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    let events: Buffer;
    try {
      events = this.#splitter.take(chunk);
    } catch {
      this.#fail(failureOf("too-large", 200, "The provider sent an event that is too long."));
      return undefined;
    }
    return this.#take(events);
  }

  finish(): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    const rest = this.#splitter.flush();
    const last = rest.length > 0 ? this.#take(Buffer.concat([rest, Buffer.from("\n\n")])) : undefined;
    if (this.#state !== "running") return last;
    if (this.#meter.finished) this.#state = "complete";
    else this.#fail(failureOf("broken-stream", 200, "The provider ended the stream before the answer was whole."));
    return joined([...(last === undefined ? [] : [last]), ...this.#release()]);
  }

  /** Takes whole events: plain pieces of the answer together, what may be more one by one. */
  #take(events: Buffer): Buffer | undefined {
    const text = events.toString("latin1");
    const forward = this.#early;
    let from = 0;
    let passedFrom = 0;
    while (from < events.length && this.#state === "running") {
      const passing = this.#meter.passing(events, text, from);
      const end = passing > from ? passing : endOfEvent(events, from);
      if (this.#held !== undefined) forward.push(...this.#release());
      if (passing === from && !this.#goesOn(events.subarray(from, end))) {
        if (from > passedFrom) forward.push(events.subarray(passedFrom, from));
        passedFrom = end;
      }
      from = end;
    }
    if (from > passedFrom) forward.push(events.subarray(passedFrom, from));
    if (!this.#meter.sawContent && this.#state === "running") return undefined;
    this.#early = [];
    return joined(forward);
  }

  /** What was held back, now that it may leave. */
  #release(): readonly Buffer[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [held];
  }

  /** Looks at one event; false when the caller does not get it. */
  #goesOn(event: Buffer): boolean {
    const verdict = this.#meter.look(event);
    const isEnd = verdict.kind === "end" || verdict.kind === "last";
    if (isEnd && !this.#meter.sawContent && !this.#meter.finished)
      this.#fail(failureOf("bad-answer", 200, "The provider ended the stream without an answer."));
    else if (isEnd) {
      this.#state = "complete";
      if (verdict.kind === "end") this.#closing = Buffer.from(event);
    } else if (verdict.kind === "error") this.#fail(verdict.failure);
    else if (verdict.kind === "hold") this.#held = event;
    else if (this.#usageEvent !== undefined && event[0] !== COLON) this.#piece = event;
    return (verdict.kind === "forward" || verdict.kind === "last") && (this.#meter.sawContent || event[0] !== COLON);
  }

  #fail(failure: Failure): void {
    this.#state = "failed";
    this.#failure = failure;
  }
}
