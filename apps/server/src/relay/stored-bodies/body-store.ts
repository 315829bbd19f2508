import type { UnixSeconds } from "@one-api/database/column-values";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { OptionStore } from "../../core/option-store.ts";
import { type StoredBodies, redactBody } from "../../features/logs/index.ts";
import { AccountMemory } from "../../platform/memory/account-memory.ts";
import { isFormBody, type ParsedRequest, type RequestBody } from "../body/index.ts";
import { readStoredAnswer } from "./read-stored-answer.ts";

export interface StoredExchange {
  take(bytes: Buffer): void;
  end(): void;
  drop(): void;
}

interface StorableRequest {
  readonly requestId: string;
  readonly caller: { readonly storesBodies: boolean; readonly tokenId: number; readonly userId: number };
  readonly parsed: ParsedRequest;
  readonly at: UnixSeconds;
}

export interface BodyStore {
  /** Begins with the request's body. Returns undefined where nothing is to be stored, or memory is short. */
  begin(request: StorableRequest): StoredExchange | undefined;
  /** Writes pending rows, and awaits a running write. Never throws. */
  flush(): Promise<void>;
}

export interface BodyStoreParts {
  readonly options: OptionStore;
  readonly log: Logger;
  readonly write: (bodies: readonly StoredBodies[]) => Promise<void>;
  /** Removes the oldest bodies until the rest fits into the number of bytes. */
  readonly trim: (mostBytes: number) => Promise<void>;
}

/** Bytes of a body that are read. Redaction removes images, and joining removes the frames of events, so little of them is left. */
const MAX_READ_BYTES = 512 * 1024;
const MAX_STORED_CHARACTERS = 64 * 1024;
/** Memory of all bodies that wait. One account gets at most half of it. */
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Exchanges that one transaction writes. */
const ROWS_PER_WRITE = 16;
const MEGABYTE = 1024 * 1024;

export function createBodyStore({ options, log, write, trim }: BodyStoreParts): BodyStore {
  let left = 0;
  const due: Exchange[] = [];
  let writing: Promise<void> | undefined;
  let untrimmed = 0;
  const memory = new AccountMemory(MEMORY_BYTES);

  const writeSome = async (exchanges: readonly Exchange[]) => {
    const rows: StoredBodies[] = [];
    for (const exchange of exchanges) {
      rows.push(exchange.toRow());
      exchange.drop();
      // Redaction takes some ms of an exchange, in which the event loop is blocked.
      await nextTurn();
    }
    await write(rows);
    untrimmed += rows.reduce((sum, { size }) => sum + size, 0);
    const mostBytes = options.number("LogBodiesMegabytes") * MEGABYTE;
    if (untrimmed < mostBytes / 16) return;
    untrimmed = 0;
    await trim(mostBytes);
  };

  const writeDue = async () => {
    if (left > 0) log.warn({ requests: left }, "bodies of requests were not stored: memory is short");
    left = 0;
    while (due.length > 0) {
      const some = due.splice(0, ROWS_PER_WRITE);
      try {
        await writeSome(some);
      } catch (error) {
        // Bodies are for diagnosis: while the database is unavailable they are dropped, so that memory stays bounded.
        for (const exchange of some) exchange.drop();
        log.error({ err: error, requests: some.length }, "bodies of requests were not stored");
      }
    }
  };

  return {
    begin(request) {
      if (!request.caller.storesBodies || !options.flag("LogBodiesEnabled") || !options.flag("LogConsumeEnabled"))
        return;
      const exchange = new Exchange(request, memory, (ended) => void due.push(ended));
      if (exchange.hasRequest) return exchange;
      left += 1;
    },
    async flush() {
      writing ??= writeDue().finally(() => (writing = undefined));
      await writing;
    },
  };
}

class Excerpt {
  readonly #memory: AccountMemory;
  readonly #userId: number;
  #pieces: Buffer[] = [];
  #held = 0;
  length = 0;

  constructor(memory: AccountMemory, userId: number) {
    this.#memory = memory;
    this.#userId = userId;
  }

  get isCut(): boolean {
    return this.length > this.#held;
  }

  /** Copies the bytes, which may be part of a much larger buffer. False if memory is short: then the body is cut. */
  take(bytes: Buffer): boolean {
    const wanted = this.isCut ? 0 : Math.min(bytes.length, MAX_READ_BYTES - this.#held);
    this.length += bytes.length;
    if (wanted === 0) return true;
    if (!this.#memory.take(this.#memory.useOf(this.#userId), wanted)) return false;
    this.#held += wanted;
    this.#pieces.push(Buffer.from(bytes.subarray(0, wanted)));
    return true;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  drop(): void {
    if (this.#held > 0) this.#memory.add(this.#memory.useOf(this.#userId), -this.#held);
    this.#held = 0;
    this.#pieces = [];
  }
}

class Exchange implements StoredExchange {
  readonly #of: StorableRequest;
  readonly #request: Excerpt;
  readonly #answer: Excerpt;
  readonly #ended: (exchange: Exchange) => void;
  readonly hasRequest: boolean;

  constructor(of: StorableRequest, memory: AccountMemory, ended: (exchange: Exchange) => void) {
    this.#of = of;
    this.#ended = ended;
    this.#request = new Excerpt(memory, of.caller.userId);
    this.#answer = new Excerpt(memory, of.caller.userId);
    this.hasRequest = this.#request.take(storedBytes(of.parsed.body));
  }

  take(bytes: Buffer): void {
    if (this.#of.parsed.media?.kind === "speech") return;
    this.#answer.take(bytes);
  }

  end(): void {
    this.#ended(this);
  }

  drop(): void {
    this.#request.drop();
    this.#answer.drop();
  }

  toRow(): StoredBodies {
    const { requestId, caller, at, parsed } = this.#of;
    const request = toText(this.#request.bytes().toString(), this.#request.isCut);
    const answer = toText(readStoredAnswer(parsed, this.#answer.bytes()), this.#answer.isCut);
    return {
      request_id: requestId,
      token_id: caller.tokenId,
      user_id: caller.userId,
      created_at: at,
      size: Buffer.byteLength(request.text) + Buffer.byteLength(answer.text),
      request_bytes: this.#request.length,
      answer_bytes: this.#answer.length,
      request_is_truncated: request.isCut ? 1 : 0,
      answer_is_truncated: answer.isCut ? 1 : 0,
      request: request.text,
      answer: answer.text,
    };
  }
}

/** Returns the bytes to store: the fields of a form, without its files. */
function storedBytes(body: RequestBody): Buffer {
  return isFormBody(body) ? Buffer.from(JSON.stringify(body.json)) : body.bytes;
}

/** Characters at the cut of a text, where redaction would not recognise the rest of a key. */
const END_LENGTH = 400;

function withoutEnd(text: string): string {
  return text.slice(0, -END_LENGTH) + text.slice(-END_LENGTH).replace(/[^\s"]*$/, "");
}

function toText(text: string, isCut: boolean): { readonly text: string; readonly isCut: boolean } {
  const redacted = redactBody(isCut ? withoutEnd(text) : text);
  const isLong = redacted.length > MAX_STORED_CHARACTERS;
  return { text: isLong ? redacted.slice(0, MAX_STORED_CHARACTERS).toWellFormed() : redacted, isCut: isCut || isLong };
}
