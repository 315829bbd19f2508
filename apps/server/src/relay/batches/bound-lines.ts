import { textOf } from "@one-api/providers/shared/json-fields";
import { findFields, type ParsedRequest, readBody } from "../body/index.ts";
import { openai } from "../dialects/index.ts";
import { storedIdsIn } from "../routing/index.ts";
import { chargeUpperBound } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import { requestUpperBound } from "../charging/index.ts";
import type { BatchRoute } from "./choose-route.ts";
import { writeLineBound } from "./batch-terms.ts";
import type { BatchServices } from "./batch-services.ts";

/** As OpenAI has it: https://platform.openai.com/docs/guides/batch */
const MOST_LINES = 50_000;
const MOST_ID_LENGTH = 128;

/** A line as it was read. */
export interface BatchLine {
  readonly customId: string;
  readonly ask: ParsedRequest;
}

/** Reads a line of an input file. Throws a 400 RelayError that names it. */
export function readLine(bytes: Buffer, number: number, endpoint: string): BatchLine {
  return aboutLine(number, () => {
    const fields = findFields(bytes);
    const spanOf = (name: string): Buffer => {
      const span = fields?.get(name);
      return span === undefined ? Buffer.alloc(0) : bytes.subarray(span.start, span.end);
    };
    const plain = (name: string) => textOf(parsed(spanOf(name)));
    const customId = plain("custom_id");
    if (fields === undefined) throw badLine("it is no JSON object, or names a field twice.");
    if (customId === "" || customId.length > MOST_ID_LENGTH)
      throw badLine(`its custom_id must be a text of 1 to ${MOST_ID_LENGTH} characters.`);
    if (plain("method") !== "POST") throw badLine('its method must be "POST".');
    if (plain("url") !== endpoint) throw badLine(`its url must be the batch's endpoint, ${endpoint}.`);
    const ask = openai.callAt(endpoint, "")?.parseRequest(readBody(spanOf("body")), {});
    if (ask === undefined) throw badLine("its url is not offered.");
    if (ask.stream) throw badLine("stream must be false or absent.");
    return { customId, ask };
  });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Runs what reads a line; its refusals say which line it is. */
function aboutLine<Result>(number: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    const { status, type, code, message } = error;
    throw new RelayError({
      status,
      type,
      code,
      param: "input_file_id",
      message: `Line ${number} of the input file: ${message}`,
    });
  }
}

function badLine(message: string): RelayError {
  return new RelayError({ status: 400, type: "invalid_request_error", code: "invalid_batch_line", message });
}

/** What the lines of a file add up to, and the very bytes that are sent instead of them. */
export class BoundLines {
  readonly #services: Pick<BatchServices, "translate">;
  readonly #route: BatchRoute;
  readonly #endpoint: string;
  readonly #model: string;
  readonly #bounds: string[] = [];
  readonly #ids = new Set<string>();
  readonly #keptIds = new Set<string>();
  #amount = 0;
  #modelTokens = 0;

  constructor(services: Pick<BatchServices, "translate">, route: BatchRoute, endpoint: string, model: string) {
    this.#services = services;
    this.#route = route;
    this.#endpoint = endpoint;
    this.#model = model;
  }

  /** The most that all lines so far can cost, in quota. */
  get amount(): number {
    return this.#amount;
  }

  get count(): number {
    return this.#bounds.length;
  }

  /** The most that all of them can use together. */
  get modelTokens(): number {
    return this.#modelTokens;
  }

  /** What each of them can use, as it is kept. */
  get bounds(): string {
    return this.#bounds.join("\n");
  }

  /** What the lines name that a provider may keep. */
  get keptIds(): readonly string[] {
    return [...this.#keptIds];
  }

  /** Bounds a line as its request would be, and returns what goes to the provider. Throws a 400 RelayError. */
  add({ customId, ask }: BatchLine): Buffer {
    const number = this.#bounds.length + 1;
    return aboutLine(number, () => {
      if (number > MOST_LINES) throw badLine(`a batch has ${MOST_LINES} lines at the most.`);
      if (this.#ids.has(customId)) throw badLine(`its custom_id ${customId} stands in another line, too.`);
      if (ask.model !== this.#model)
        throw badLine(`its model must be ${this.#model} as in the first line: a batch has one model.`);
      const { price, factor } = this.#route;
      const bound = requestUpperBound(ask, [this.#route]);
      const most = { ...bound, priceFactor: bound.priceFactor * factor };
      this.#amount = Math.min(Number.MAX_SAFE_INTEGER, this.#amount + chargeUpperBound(most, [price]));
      this.#ids.add(customId);
      const ofLine = [bound.promptTokens + bound.audioPromptTokens, bound.completionTokens] as const;
      this.#bounds.push(writeLineBound(customId, ofLine));
      this.#modelTokens = Math.min(Number.MAX_SAFE_INTEGER, this.#modelTokens + ofLine[0] + ofLine[1]);
      for (const id of storedIdsIn(ask)) this.#keptIds.add(id);
      if (this.#keptIds.size > MOST_LINES) throw badLine(`a batch names ${MOST_LINES} files at the most.`);
      return this.#write(customId, ask);
    });
  }

  #write(customId: string, ask: ParsedRequest): Buffer {
    const { service, upstreamModel, channel, batches } = this.#route;
    const { body, dropped } = this.#services.translate(ask.format, service).writeRequest(ask, {
      model: upstreamModel,
      systemPrompt: channel.systemPrompt,
      maxTokens: undefined,
      reportUsage: false,
    });
    // There is no header of a line that could name it.
    if (dropped.length > 0) throw badLine(`the provider has no place for ${dropped.join(", ")}: leave that out.`);
    const line = batches.writeLine({ customId, endpoint: this.#endpoint, body: body.toString() });
    return Buffer.from(line.replaceAll(OTHER_LINE_ENDS, escaped) + "\n");
  }
}

/** Some programs end lines at these, too: nothing may become a line of its own that was bounded as a part of another. */
const OTHER_LINE_ENDS = /[\r\u0085\u2028\u2029]/g;

function escaped(end: string): string {
  // Between two values of JSON a carriage return is a blank, and inside a text there can be none.
  return end === "\r" ? " " : `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
