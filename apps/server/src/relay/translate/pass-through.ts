import { type Failure, failureOf } from "@one-api/providers/failure";
import type { Format } from "@one-api/providers/format";
import type { DeliveredBeside, StreamMeter } from "@one-api/providers/stream-meter";
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
import { overriddenNames, overrideEdits, overridesOf } from "./override-body.ts";
import { MAX_ERROR_BYTES } from "./read-whole-answer.ts";
import type { AnswerStream, ReadAnswer, Translation, WriteEdits, WrittenRequest } from "./translation.ts";

/** Bytes are metered, not changed. */
export function createPassThrough(format: Format, countText: (text: string) => number): Translation {
  const closing = Buffer.from(format.closing);
  return {
    writeRequest: (parsed, edits) => writeRequest(format, parsed, edits),
    streamType: SERVER_SENT_EVENTS.contentType,
    openStream: ({ wantsUsage }) =>
      new PassThroughStream(
        format.meter({ passUsage: wantsUsage, countText }),
        closing,
        wantsUsage ? format.usageEvent : undefined,
      ),
    readAnswer(parsed, status, headers, bytes) {
      const read = readAnswer(format, status, headers, bytes);
      const mended = read.ok ? format.mendAnswer?.(parsed.body.outline, bytes) : undefined;
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

function writeRequest(format: Format, parsed: ParsedRequest, edits: WriteEdits): WrittenRequest {
  const { body, fallbacks, formatHeaders, formatQuery, stream } = parsed;
  const isSealed = format.unseal !== undefined && body.bytes.includes(SEAL_MARK);
  // Only edits of messages need them complete.
  const isWhole = isSealed || edits.systemPrompt !== "" || format.rewritesWhole?.(body.outline) === true;
  const overrides = overridesOf(parsed, edits.overrides);
  const rewritten = [
    ...(isWhole ? MESSAGE_FIELDS : []),
    ...(edits.maxTokens === undefined ? [] : LIMIT_FIELDS),
    ...(overrides === undefined ? [] : overriddenNames(overrides)),
  ];
  const json = withOriginalNumbers(isWhole ? body.json : body.outline, body, rewritten);
  const edited = format.edit(json, edits);
  const overridden = overrides && overrideEdits(json, edited, overrides);
  const fields = overridden?.written ?? edited;
  const unsealed = isSealed ? format.unseal?.(json, edits.model) : undefined;
  const own = fallbacks.fields.map((name) => [name, undefined] as const);
  const all = own.length === 0 && unsealed === undefined ? fields : new Map([...fields, ...(unsealed ?? []), ...own]);
  return {
    body: editFields(body.bytes, body.fields, all),
    dropped: isSealed ? ["messages.reasoning"] : [],
    systemPrompt: edits.systemPrompt === "" ? undefined : format.systemPromptEffect(json),
    formatHeaders,
    formatQuery,
    stream,
    ...(overridden?.tier && { tier: overridden.tier }),
  };
}

const MESSAGE_FIELDS = ["messages", "contents", "input"];
const LIMIT_FIELDS = ["generationConfig", "generation_config"];

function withOriginalNumbers(json: JsonRecord, { bytes, fields }: RequestBody, names: readonly string[]): JsonRecord {
  const written = names.flatMap((name) => {
    const span = fields.get(name);
    if (span === undefined) return [];
    return [[name, withExactNumbers(json[name], bytes.toString("utf8", span.start, span.end))] as const];
  });
  return written.length === 0 ? json : { ...json, ...Object.fromEntries(written) };
}

/** Up to this length parsing the whole answer is cheaper than a scan. */
const PARSED_WHOLE_BYTES = 32 * 1024;

function readAnswer(format: Format, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer {
  const answer = bytes.length <= PARSED_WHOLE_BYTES ? parseJson(bytes.toString()) : pickFacts(bytes);
  if (
    !isRecord(answer) ||
    Object.keys(answer).length === 0 ||
    format.carriesError(answer) ||
    !holdsResult(format, answer)
  ) {
    const failure = format.readError(status, headers, bytes.toString("utf8", 0, MAX_ERROR_BYTES));
    return { ok: false, failure };
  }
  return { ok: true, bytes, usage: format.readUsage(answer), storedId: format.readStoredId?.(answer) };
}

/** Longer values are content, not metadata. */
const FACT_BYTES = 4 * 1024;

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

class PassThroughStream implements AnswerStream {
  #closing: Buffer;
  readonly #splitter = new EventSplitter();
  readonly #meter: StreamMeter;
  #state: AnswerStream["state"] = "running";
  #failure: Failure | undefined;
  /** Events before the answer began. They are withheld while a failover is possible. */
  #withheld: Buffer[] = [];
  #lastEvent: Buffer | undefined;
  readonly #usageEvent: Format["usageEvent"];
  #piece: Buffer | undefined;

  constructor(meter: StreamMeter, closing: Buffer, usageEvent: Format["usageEvent"]) {
    this.#meter = meter;
    this.#usageEvent = usageEvent;
    this.#closing = closing;
  }

  /** The provider's own end mark; the format's if it sent none. */
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

  get storedId(): string | undefined {
    return this.#meter.storedId;
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

  writeUsage(usage: Usage): Buffer {
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

  /** Forwards runs of plain content events together, and all other events one by one. */
  #take(events: Buffer): Buffer | undefined {
    const text = events.toString("latin1");
    const forward = this.#withheld;
    let from = 0;
    let passedFrom = 0;
    while (from < events.length && this.#state === "running") {
      const passing = this.#meter.passing(events, text, from);
      const end = passing > from ? passing : endOfEvent(events, from);
      if (this.#lastEvent !== undefined) forward.push(...this.#release());
      if (passing === from && !this.#mayForward(events.subarray(from, end))) {
        if (from > passedFrom) forward.push(events.subarray(passedFrom, from));
        passedFrom = end;
      }
      from = end;
    }
    if (from > passedFrom) forward.push(events.subarray(passedFrom, from));
    if (!this.#meter.sawContent && this.#state === "running") return undefined;
    this.#withheld = [];
    return joined(forward);
  }

  #release(): readonly Buffer[] {
    const event = this.#lastEvent;
    this.#lastEvent = undefined;
    return event === undefined ? [] : [event];
  }

  /** Meters one event. False if it is not forwarded now. */
  #mayForward(event: Buffer): boolean {
    const verdict = this.#meter.look(event);
    const isEnd = verdict.kind === "end" || verdict.kind === "last";
    if (isEnd && !this.#meter.sawContent && !this.#meter.finished)
      this.#fail(failureOf("bad-answer", 200, "The provider ended the stream without an answer."));
    else if (isEnd) {
      this.#state = "complete";
      if (verdict.kind === "end") this.#closing = Buffer.from(event);
    } else if (verdict.kind === "error") this.#fail(verdict.failure);
    else if (verdict.kind === "hold") this.#lastEvent = event;
    else if (this.#usageEvent !== undefined && event[0] !== COLON) this.#piece = event;
    return (verdict.kind === "forward" || verdict.kind === "last") && (this.#meter.sawContent || event[0] !== COLON);
  }

  #fail(failure: Failure): void {
    this.#state = "failed";
    this.#failure = failure;
  }
}
