import { completionText } from "@one-api/providers/formats/openai/delta-text";
import { carriesError, readError } from "@one-api/providers/formats/openai/read-error";
import { readUsage } from "@one-api/providers/formats/openai/read-usage";
import type { Failure } from "@one-api/providers/failure";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import { listOf, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import type { Usage } from "@one-api/providers/usage";
import { editFields, type FieldSpan, findFields } from "../body/json-fields.ts";
import type { RelayAsk } from "../body/read-ask.ts";
import { EventSplitter } from "../stream/event-splitter.ts";
import { type CountText, StreamMeter } from "../stream/stream-meter.ts";
import { failureOf } from "../upstream/failure-answer.ts";
import type { AnswerStream, ReadAnswer, RequestEdits, Translation, WrittenRequest } from "./translation.ts";

/** Builds the way of calls whose caller and provider both speak OpenAI's format: bytes are looked at and pass as they are. */
export function createPassThrough(countText: CountText): Translation {
  return {
    writeRequest,
    openStream: (ask) => new PassThroughStream(new StreamMeter(ask.wantsUsage, countText)),
    readAnswer,
    readError,
    answerText: (bytes) => completionText(JSON.parse(bytes.toString())),
  };
}

/** The caller's own bytes, but for what is edited. */
function writeRequest(ask: RelayAsk, { model, systemPrompt, maxTokens, reportUsage }: RequestEdits): WrittenRequest {
  const edits = new Map<string, string>();
  if (model !== ask.model) edits.set("model", JSON.stringify(model));
  const effect = effectOfSystemPrompt(ask, systemPrompt);
  if (effect !== undefined) edits.set("messages", JSON.stringify(withSystemPrompt(ask, systemPrompt, effect)));
  if (reportUsage && !ask.wantsUsage) {
    const options = recordOf(ask.body.json["stream_options"]);
    edits.set("stream_options", JSON.stringify({ ...options, include_usage: true }));
  }
  if (maxTokens !== undefined) {
    edits.set(ask.endpoint === "completions" ? "max_tokens" : "max_completion_tokens", String(maxTokens));
  }
  return { body: editFields(ask.body.bytes, ask.body.fields, edits), dropped: [], systemPrompt: effect };
}

/** The channel's system prompt takes the place of a system message at the front, or goes before everything. */
function effectOfSystemPrompt(ask: RelayAsk, systemPrompt: string): WrittenRequest["systemPrompt"] {
  if (systemPrompt === "" || ask.endpoint !== "chat-completions") return undefined;
  const first = recordOf(listOf(ask.body.json["messages"])[0]);
  return first["role"] === "system" || first["role"] === "developer" ? "replaced" : "added";
}

function withSystemPrompt(ask: RelayAsk, systemPrompt: string, effect: "replaced" | "added"): unknown[] {
  const list = listOf(ask.body.json["messages"]);
  if (effect === "added") return [{ role: "system", content: systemPrompt }, ...list];
  return [{ ...recordOf(list[0]), content: systemPrompt }, ...list.slice(1)];
}

/** Up to this many bytes an answer is parsed as a whole, which is cheaper than a search; of a longer one only what is needed is built. */
const PARSED_WHOLE_BYTES = 32 * 1024;

function readAnswer(status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer {
  const facts = bytes.length <= PARSED_WHOLE_BYTES ? parseJson(bytes.toString()) : pickFacts(bytes);
  if (!isAnswer(facts) || carriesError(facts)) return { ok: false, failure: failureInBody(status, headers, bytes) };
  return { ok: true, bytes, usage: readUsage(facts) };
}

function isAnswer(facts: unknown): boolean {
  return typeof facts === "object" && facts !== null && !Array.isArray(facts) && Object.keys(facts).length > 0;
}

/** The fields of a long answer that say how it went, parsed, and the names of the rest. */
function pickFacts(bytes: Buffer): unknown {
  const fields = findFields(bytes);
  if (fields === undefined) return undefined;
  const names = ["error", "base_resp", "usage", "x_groq"];
  const read = (name: string, { start, end }: FieldSpan) =>
    names.includes(name) ? parseJson(bytes.toString("utf8", start, end)) : true;
  return Object.fromEntries([...fields].map(([name, span]) => [name, read(name, span)]));
}

/** A good status with a body that is no answer: an error in disguise, or not what was asked for. */
function failureInBody(status: number, headers: AnswerHeaders, bytes: Buffer): Failure {
  const failure = readError(status, headers, bytes.toString());
  return { ...failure, kind: failure.kind === "bad-request" ? "bad-answer" : failure.kind };
}

const END_MARK = Buffer.from("data: [DONE]\n\n");

/** A stream that passes as it came, but for what the caller did not ask for and the end mark. */
class PassThroughStream implements AnswerStream {
  readonly closing = END_MARK;
  readonly #splitter = new EventSplitter();
  readonly #meter: StreamMeter;
  #state: AnswerStream["state"] = "running";
  #failure: Failure | undefined;

  constructor(meter: StreamMeter) {
    this.#meter = meter;
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

  get usage(): Usage | undefined {
    return this.#meter.usage;
  }

  deliveredTokens(): number {
    return this.#meter.deliveredTokens();
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    if (this.#splitter.isWhole(chunk) && this.#meter.passes(chunk)) return chunk;
    let events: Buffer[];
    try {
      events = this.#splitter.push(chunk);
    } catch {
      this.#fail(failureOf("too-large", 200, "The provider sent an event longer than 1 MiB."));
      return undefined;
    }
    return this.#take(events);
  }

  finish(): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    const rest = this.#splitter.flush();
    const last = rest.length > 0 ? this.#take([Buffer.concat([rest, Buffer.from("\n\n")])]) : undefined;
    if (this.#state !== "running") return last;
    if (this.#meter.finished) this.#state = "complete";
    else this.#fail(failureOf("broken-stream", 200, "The provider ended the stream before the answer was whole."));
    return last;
  }

  #take(events: readonly Buffer[]): Buffer | undefined {
    const forward: Buffer[] = [];
    for (const event of events) {
      const verdict = this.#meter.look(event);
      if (verdict.kind === "forward") forward.push(event);
      else if (verdict.kind === "end") this.#state = "complete";
      else if (verdict.kind === "error") this.#fail(errorInStream(verdict.data));
      if (this.#state !== "running") break;
    }
    return forward.length > 1 ? Buffer.concat(forward) : forward[0];
  }

  #fail(failure: Failure): void {
    this.#state = "failed";
    this.#failure = failure;
  }
}

function errorInStream(data: string): Failure {
  const failure = readError(500, {}, data);
  return failure.kind === "server-error" ? { ...failure, kind: "broken-stream", status: 200 } : failure;
}
