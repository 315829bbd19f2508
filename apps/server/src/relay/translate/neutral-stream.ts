import { type Failure, failureOf } from "@one-api/providers/failure";
import type { StreamDecoder, StreamEncoder } from "@one-api/providers/format-sides";
import type { Framing, StreamSplitter } from "@one-api/providers/framing/framing";
import { IdCompletion } from "@one-api/providers/neutral/answer-ids";
import { type ChatEvent, textOfEvent } from "@one-api/providers/neutral/chat-answer";
import type { Fitting } from "@one-api/providers/neutral/fit/fit-request";
import { AnswerRestoration } from "@one-api/providers/neutral/fit/restore-answer";
import { DeliveredText } from "@one-api/providers/shared/delivered-text";
import { completedBy, lacksTokens, type Usage } from "@one-api/providers/usage";
import { tooLongEvent, unendedStream } from "./read-whole-answer.ts";
import type { AnswerStream } from "./translation.ts";

/** Event by which some providers show that they are alive; others send comments. */
const PING = "ping";

export interface StreamReader {
  readonly framing: Framing;
  readonly splitter: StreamSplitter;
  readonly decoder: StreamDecoder & Pick<AnswerStream, "storedId">;
  readonly model: string;
  readonly fitting: Fitting | undefined;
}

export class NeutralStream implements AnswerStream {
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
  #hadOutput = false;
  #toolFees = 0;
  #isReportStale = false;
  #usage: Usage | undefined;
  /** Output before the answer began. It is withheld while a failover is possible. */
  #withheld = "";

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

  get storedId(): string | undefined {
    return this.#reader.decoder.storedId;
  }

  get usage(): Usage | undefined {
    const usage = this.#usage;
    if (usage === undefined) return undefined;
    const completionTokens = this.#isReportStale
      ? Math.max(usage.completionTokens, this.deliveredTokens())
      : usage.completionTokens;
    const toolFees = Math.max(usage.toolFees, this.#toolFees);
    const isAsReported = completionTokens === usage.completionTokens && toolFees === usage.toolFees;
    return isAsReported ? usage : { ...usage, completionTokens, toolFees };
  }

  deliveredTokens(): number {
    return this.#delivered.tokens();
  }

  get beside(): AnswerStream["beside"] {
    return { toolFees: this.#toolFees };
  }

  saysSomething(): boolean {
    return this.#hadOutput;
  }

  writeUsage(usage: Usage): Buffer {
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
    let written = this.#withheld;
    this.#hadOutput = false;
    for (const event of events) {
      const { name, data } = framing.readEvent(event);
      if (data !== "") for (const read of decoder.read(name, data)) written += this.#write(read);
      if (data === "" || name === PING) written += this.#sawContent ? this.#encoder.ping() : "";
      if (this.#state !== "running") break;
    }
    this.#withheld = this.#state === "running" && !this.#sawContent ? written : "";
    return this.#withheld !== "" || written === "" ? undefined : Buffer.from(written);
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
        this.#isReportStale = event.usage.completionTokens === 0 && this.#isReportStale;
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
        this.#hadOutput ||= event.type !== "hidden-reasoning";
        this.#isReportStale = true;
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

  /** Without a complete report the end waits for the count, see `tellUsage`. */
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

  #writeEnd(usage: Usage): string {
    return this.#encoder.write({ type: "usage-report", usage }) + this.#encoder.finish();
  }

  #fail(failure: Failure): void {
    this.#state = "failed";
    this.#failure = failure;
  }
}
