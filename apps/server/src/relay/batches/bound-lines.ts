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

/** Limit of OpenAI: https://platform.openai.com/docs/guides/batch */
const MAX_LINES = 50_000;
const MAX_ID_LENGTH = 128;

export interface BatchLine {
  readonly customId: string;
  readonly parsed: ParsedRequest;
}

/** Throws a 400 RelayError that names the line. */
export function readLine(bytes: Buffer, number: number, endpoint: string): BatchLine {
  return aboutLine(number, () => {
    const fields = findFields(bytes);
    const spanOf = (name: string): Buffer => {
      const span = fields?.get(name);
      return span === undefined ? Buffer.alloc(0) : bytes.subarray(span.start, span.end);
    };
    const plain = (name: string) => textOf(parseBytes(spanOf(name)));
    const customId = plain("custom_id");
    if (fields === undefined) throw badLine("it is no JSON object, or names a field twice.");
    if (customId === "" || customId.length > MAX_ID_LENGTH)
      throw badLine(`its custom_id must be a text of 1 to ${MAX_ID_LENGTH} characters.`);
    if (plain("method") !== "POST") throw badLine('its method must be "POST".');
    if (plain("url") !== endpoint) throw badLine(`its url must be the batch's endpoint, ${endpoint}.`);
    const parsed = openai.callAt(endpoint, "")?.parseRequest(readBody(spanOf("body")), {});
    if (parsed === undefined) throw badLine("its url is not offered.");
    const [fallbacks] = parsed.fallbacks.fields;
    if (fallbacks !== undefined) throw badLine(`${fallbacks} is not offered in batches. Leave it out.`);
    if (parsed.stream) throw badLine("stream must be false or absent.");
    return { customId, parsed };
  });
}

function parseBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

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

export class BoundLines {
  readonly #services: Pick<BatchServices, "translate">;
  readonly #route: BatchRoute;
  readonly #endpoint: string;
  readonly #model: string;
  readonly #bounds: string[] = [];
  readonly #ids = new Set<string>();
  readonly #storedIds = new Set<string>();
  #amount = 0;
  #modelTokens = 0;

  constructor(services: Pick<BatchServices, "translate">, route: BatchRoute, endpoint: string, model: string) {
    this.#services = services;
    this.#route = route;
    this.#endpoint = endpoint;
    this.#model = model;
  }

  get amount(): number {
    return this.#amount;
  }

  get count(): number {
    return this.#bounds.length;
  }

  get modelTokens(): number {
    return this.#modelTokens;
  }

  get bounds(): string {
    return this.#bounds.join("\n");
  }

  get storedIds(): readonly string[] {
    return [...this.#storedIds];
  }

  /** Adds a line like a single request. Returns the bytes for the provider. Throws a 400 RelayError. */
  add({ customId, parsed }: BatchLine): Buffer {
    const number = this.#bounds.length + 1;
    return aboutLine(number, () => {
      if (number > MAX_LINES) throw badLine(`a batch has ${MAX_LINES} lines at the most.`);
      if (this.#ids.has(customId)) throw badLine(`its custom_id ${customId} stands in another line, too.`);
      if (parsed.model !== this.#model)
        throw badLine(`its model must be ${this.#model} as in the first line: a batch has one model.`);
      const { price, factor } = this.#route;
      const bound = requestUpperBound(parsed, [this.#route]);
      const most = { ...bound, priceFactor: bound.priceFactor * factor };
      this.#amount = Math.min(Number.MAX_SAFE_INTEGER, this.#amount + chargeUpperBound(most, [price]));
      this.#ids.add(customId);
      const ofLine = [bound.promptTokens + bound.audioPromptTokens, bound.completionTokens] as const;
      this.#bounds.push(writeLineBound(customId, ofLine));
      this.#modelTokens = Math.min(Number.MAX_SAFE_INTEGER, this.#modelTokens + ofLine[0] + ofLine[1]);
      for (const id of storedIdsIn(parsed)) this.#storedIds.add(id);
      if (this.#storedIds.size > MAX_LINES) throw badLine(`a batch names ${MAX_LINES} files at the most.`);
      return this.#write(customId, parsed);
    });
  }

  #write(customId: string, parsed: ParsedRequest): Buffer {
    const { service, upstreamModel, channel, batches } = this.#route;
    const { body, dropped } = this.#services.translate(parsed.format, service).writeRequest(parsed, {
      model: upstreamModel,
      systemPrompt: channel.systemPrompt,
      maxTokens: undefined,
      reportUsage: false,
    });
    // A line has no header that could name dropped fields.
    if (dropped.length > 0) throw badLine(`the provider has no place for ${dropped.join(", ")}: leave that out.`);
    const line = batches.writeLine({ customId, endpoint: this.#endpoint, body: body.toString() });
    return Buffer.from(line.replaceAll(OTHER_LINE_ENDS, escaped) + "\n");
  }
}

/** Some programs end lines at these characters too. Part of a bounded line must not become a line of its own. */
const OTHER_LINE_ENDS = /[\r\u0085\u2028\u2029]/g;

function escaped(end: string): string {
  // A carriage return between JSON values is white space, and a JSON text cannot contain one.
  return end === "\r" ? " " : `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
