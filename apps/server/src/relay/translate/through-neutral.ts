import type {
  AskedChat,
  Format,
  ProviderChat,
  ProviderFormat,
  ProviderSide,
  RequestEdits,
  StreamDecoder,
  StreamEncoder,
  SystemPromptEffect,
  WholeSide,
} from "@one-api/providers/format";
import type { Failure } from "@one-api/providers/failure";
import { type Framing, SERVER_SENT_EVENTS, type StreamSplitter } from "@one-api/providers/framing/framing";
import { type ChatAnswer, type ChatEvent, textOfEvent } from "@one-api/providers/neutral/chat-answer";
import { completeIds, IdCompletion } from "@one-api/providers/neutral/answer-ids";
import { type Fitting, fitRequest } from "@one-api/providers/neutral/fit/fit-request";
import { USUAL_LIMITS } from "@one-api/providers/neutral/fit/request-limits";
import { AnswerRestoration, restoreAnswer } from "@one-api/providers/neutral/fit/restore-answer";
import type { ChatMessage, ChatRequest } from "@one-api/providers/neutral/chat-request";
import { DeliveredText } from "@one-api/providers/shared/delivered-text";
import { headerOf } from "@one-api/providers/shared/retry-after";
import { completedBy, lacksTokens, type Usage } from "@one-api/providers/usage";
import type { RelayAsk, RelayBody } from "../body/read-ask.ts";
import { failureOf } from "../upstream/failure-answer.ts";
import { createPictureTranslation } from "./pictures-through-neutral.ts";
import { readAnswer, readGathered, tooLongEvent, unendedStream } from "./read-whole-answer.ts";
import type { AnswerStream, Translation, WrittenRequest } from "./translation.ts";
import { nameDropped, orRefuse } from "./untranslatable.ts";

/** What a translation takes from outside. */
export interface NeutralParts {
  readonly countText: (text: string) => number;
  /** Dates the answers. */
  readonly nowSeconds: () => number;
}

/** The way of calls whose provider speaks another format than the caller, or speaks it only nearly: decoded, and encoded anew. */
export function createThroughNeutral(caller: Format, provider: ProviderFormat, parts: NeutralParts): Translation {
  if (caller.embeddings !== undefined && provider.embeddings !== undefined) {
    return createWholeTranslation(caller.embeddings, provider.embeddings, provider);
  }
  if (caller.rerank !== undefined && provider.rerank !== undefined) {
    return createWholeTranslation(caller.rerank, provider.rerank, provider);
  }
  if (caller.askedPictures !== undefined && provider.pictures !== undefined) {
    const { nowSeconds } = parts;
    return createPictureTranslation({ asked: caller.askedPictures, served: provider.pictures, provider, nowSeconds });
  }
  const asked = expectWay(caller.name, caller.chat ?? caller.askedChat);
  const served = expectWay(provider.name, provider.chat);
  const { framing = SERVER_SENT_EVENTS, maxEventBytes } = provider;
  /** Of the requests whose answers must be restored. */
  const fittings = new WeakMap<RelayBody, Fitting>();
  return {
    writeRequest(ask, edits) {
      const { written, fitting } = writeRequest(asked, served, ask, edits);
      if (fitting === undefined) fittings.delete(ask.body);
      else fittings.set(ask.body, fitting);
      return written;
    },
    streamType: framing.contentType,
    openStream: ({ wantsUsage, body, model }) => {
      const envelope = { created: parts.nowSeconds(), reportUsage: wantsUsage, request: body.json };
      const fitting = fittings.get(body);
      return new NeutralStream(
        { framing, splitter: framing.splitter(maxEventBytes), decoder: served.decode(), model, fitting },
        asked.encode(envelope),
        caller.closing,
        parts.countText,
      );
    },
    readAnswer({ body, model }, status, headers, bytes) {
      const envelope = { created: parts.nowSeconds(), reportUsage: true, request: body.json };
      const write = (read: ChatAnswer) => {
        const answer = restoreAnswer(completeIds(read), fittings.get(body));
        return asked.writeAnswer({ ...answer, model: read.model || model }, envelope);
      };
      const isStream = framing.contentType.test(headerOf(headers, "content-type"));
      if (served.readAnswer === undefined && isStream) return readGathered(provider, served, bytes, write);
      return readAnswer(provider, status, headers, bytes, (answer, counted) => {
        if (served.readAnswer === undefined) return undefined;
        const read = served.readAnswer(answer);
        return write(counted === undefined ? read : { ...read, usage: counted });
      });
    },
    readError: (status, headers, body) => provider.readError(status, headers, body),
    answerText: (bytes) => caller.answerText(JSON.parse(bytes.toString())),
  };
}

function expectWay<Way>(name: string, way: Way | undefined): Way {
  if (way === undefined) throw new Error(`There is no way from or to the format ${name}.`);
  return way;
}

function writeRequest(
  asked: AskedChat,
  served: ProviderChat,
  ask: RelayAsk,
  edits: RequestEdits,
): { readonly written: WrittenRequest; readonly fitting: Fitting | undefined } {
  return orRefuse(() => {
    const read = { ...asked.readRequest(ask.body.json), stream: ask.stream };
    const { request, fitting } = fitRequest(editRequest(read, edits), served.limits ?? USUAL_LIMITS);
    const { body, dropped } = served.writeRequest(request);
    const systemPrompt: SystemPromptEffect | undefined =
      edits.systemPrompt === "" ? undefined : hasSystem(read) ? "replaced" : "added";
    const bytes = Buffer.from(JSON.stringify(body));
    // The gateway sets a limit where the caller has none: of that one, callers need not hear.
    const told = ask.maxTokens === undefined ? dropped.filter((name) => name !== "max_tokens") : dropped;
    const written = { body: bytes, dropped: nameDropped(told), systemPrompt, stream: ask.stream, formatHeaders: {} };
    return { written, fitting };
  });
}

/** The way of embeddings and rerankings, which are always whole answers. */
function createWholeTranslation<
  Request extends { readonly model: string },
  Answer extends { readonly promptTokens: number | undefined },
>(asked: WholeSide<Request, Answer>, served: ProviderSide<Request, Answer>, provider: ProviderFormat): Translation {
  return {
    writeRequest: (ask, { model }) =>
      orRefuse(() => {
        const { body, dropped } = served.writeRequest({ ...asked.readRequest(ask.body.json), model });
        const bytes = Buffer.from(JSON.stringify(body));
        return {
          body: bytes,
          dropped: nameDropped(dropped),
          systemPrompt: undefined,
          stream: false,
          formatHeaders: {},
        };
      }),
    streamType: SERVER_SENT_EVENTS.contentType,
    openStream() {
      throw new Error("There are no streams of what has whole answers alone.");
    },
    readAnswer: ({ body, model }, status, headers, bytes) =>
      readAnswer(provider, status, headers, bytes, (answer, counted) => {
        const read = served.readAnswer(answer);
        const told = counted === undefined ? read : { ...read, promptTokens: counted.promptTokens };
        return asked.writeAnswer(told, { ...asked.readRequest(body.json), model });
      }),
    readError: (status, headers, body) => provider.readError(status, headers, body),
    answerText: () => "",
  };
}

function editRequest(request: ChatRequest, { model, systemPrompt, maxTokens }: RequestEdits): ChatRequest {
  const options = { ...request.options, maxTokens: maxTokens ?? request.options.maxTokens };
  return { ...request, model, options, messages: withSystemPrompt(request, systemPrompt) };
}

/** The channel's system prompt takes the place of one at the front, or goes before everything. */
function withSystemPrompt(request: ChatRequest, systemPrompt: string): readonly ChatMessage[] {
  if (systemPrompt === "") return request.messages;
  const own: ChatMessage = { role: "system", name: "", parts: [{ type: "text", text: systemPrompt }] };
  return [own, ...request.messages.slice(hasSystem(request) ? 1 : 0)];
}

function hasSystem({ messages }: ChatRequest): boolean {
  return messages[0]?.role === "system";
}

/** The event by which some providers say that they are still there; others send comments. */
const PING = "ping";

/** What takes a provider's stream apart. */
interface StreamReader {
  readonly framing: Framing;
  readonly splitter: StreamSplitter;
  readonly decoder: StreamDecoder;
  /** What the caller asked for, where the provider does not name what answers. */
  readonly model: string;
  /** What the answer must undo. */
  readonly fitting: Fitting | undefined;
}

/** A stream that is written anew, event by event. */
class NeutralStream implements AnswerStream {
  readonly closing: Buffer;
  readonly #reader: StreamReader;
  readonly #encoder: StreamEncoder;
  readonly #ids = new IdCompletion();
  readonly #restoration: AnswerRestoration | undefined;
  readonly #delivered: DeliveredText<string>;
  #state: AnswerStream["state"] = "running";
  #failure: Failure | undefined;
  #sawContent = false;
  #sawFinish = false;
  /** What came last says something of the answer. */
  #saidSomething = false;
  #toolFees = 0;
  /** The last report came before the last of the text, so that it cannot know all of it. */
  #reportIsOld = false;
  #usage: Usage | undefined;
  /** What came before the answer began: nothing of it leaves while another channel may still be tried. */
  #early = "";

  constructor(reader: StreamReader, encoder: StreamEncoder, closing: string, countText: (text: string) => number) {
    this.#reader = reader;
    this.#restoration = reader.fitting && new AnswerRestoration(reader.fitting);
    this.#encoder = encoder;
    this.closing = Buffer.from(closing);
    this.#delivered = new DeliveredText((text) => text, countText);
  }

  get state(): AnswerStream["state"] {
    return this.#state;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  get sawContent(): boolean {
    return this.#sawContent;
  }

  get usage(): Usage | undefined {
    const usage = this.#usage;
    if (usage === undefined) return undefined;
    const completionTokens = this.#reportIsOld
      ? Math.max(usage.completionTokens, this.deliveredTokens())
      : usage.completionTokens;
    const toolFees = Math.max(usage.toolFees, this.#toolFees);
    const isAsTold = completionTokens === usage.completionTokens && toolFees === usage.toolFees;
    return isAsTold ? usage : { ...usage, completionTokens, toolFees };
  }

  deliveredTokens(): number {
    return this.#delivered.tokens();
  }

  get beside(): AnswerStream["beside"] {
    return { toolFees: this.#toolFees };
  }

  saysSomething(): boolean {
    return this.#saidSomething;
  }

  tellUsage(usage: Usage): Buffer {
    return this.#isReported ? Buffer.alloc(0) : Buffer.from(this.#writeEnd(usage));
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    try {
      return this.#take(this.#reader.splitter.push(chunk));
    } catch {
      this.#fail(tooLongEvent());
      return undefined;
    }
  }

  finish(): Buffer | undefined {
    if (this.#state !== "running") return undefined;
    const rest = this.#reader.splitter.flush();
    const last = rest.length > 0 ? this.#take([rest]) : undefined;
    if (this.#state !== "running") return last;
    if (!this.#sawFinish) {
      this.#fail(unendedStream());
      return last;
    }
    const end = Buffer.from(this.#complete());
    return last === undefined ? end : Buffer.concat([last, end]);
  }

  #take(events: readonly Buffer[]): Buffer | undefined {
    const { framing, decoder } = this.#reader;
    let written = this.#early;
    this.#saidSomething = false;
    for (const event of events) {
      const { name, data } = framing.readEvent(event);
      if (data !== "") for (const read of decoder.read(name, data)) written += this.#write(read);
      if (data === "" || name === PING) written += this.#sawContent ? this.#encoder.ping() : "";
      if (this.#state !== "running") break;
    }
    this.#early = this.#state === "running" && !this.#sawContent ? written : "";
    return this.#early !== "" || written === "" ? undefined : Buffer.from(written);
  }

  #write(event: ChatEvent): string {
    if (this.#state !== "running") return "";
    switch (event.type) {
      case "stream-end":
        return this.#complete();
      case "error":
        this.#fail(event.failure);
        return "";
      case "usage-report":
        this.#usage = completedBy(event.usage, this.#usage);
        this.#reportIsOld = event.usage.completionTokens === 0 && this.#reportIsOld;
        break;
      case "tool-fee-report":
        this.#toolFees = event.toolFees;
        break;
      case "answer-finish":
        this.#sawFinish = true;
        this.#sawContent = true;
        break;
      default: {
        const text = textOfEvent(event);
        if (text === "" && event.type !== "hidden-reasoning" && event.type !== "picture") break;
        this.#sawContent = true;
        this.#saidSomething ||= event.type !== "hidden-reasoning";
        this.#reportIsOld = true;
        this.#delivered.add(text);
      }
    }
    let written = "";
    for (const completed of this.#ids.read(event)) {
      for (const restored of this.#restoration?.read(completed) ?? [completed]) written += this.#encode(restored);
    }
    return written;
  }

  #encode(event: ChatEvent): string {
    const isNameless = event.type === "answer-start" && event.model === "";
    return this.#encoder.write(isNameless ? { ...event, model: this.#reader.model } : event);
  }

  /** Without a report of prompt and completion the end waits for what is counted: see `tellUsage`. */
  #complete(): string {
    if (!this.#sawContent) {
      this.#fail(failureOf("bad-answer", 200, "The provider ended the stream without an answer."));
      return "";
    }
    this.#state = "complete";
    const { usage } = this;
    return usage === undefined || !this.#isReported ? "" : this.#writeEnd(usage);
  }

  get #isReported(): boolean {
    const { usage } = this;
    return usage !== undefined && !lacksTokens(usage, true);
  }

  /** What still belongs before the closing; it tells what is charged. */
  #writeEnd(usage: Usage): string {
    return this.#encoder.write({ type: "usage-report", usage }) + this.#encoder.finish();
  }

  #fail(failure: Failure): void {
    this.#state = "failed";
    this.#failure = failure;
  }
}
