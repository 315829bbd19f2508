import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { OptionStore } from "../../core/option-store.ts";
import { type StoredBodies, redactBody } from "../../features/logs/index.ts";
import { isFormBody, type ParsedRequest, type RequestBody } from "../body/index.ts";
import { readStoredAnswer } from "./read-stored-answer.ts";

/** Request and answer on their way into the database. */
export interface StoredExchange {
  /** Adds a piece of the answer. */
  take(bytes: Buffer): void;
  /** The request has its entry in the log, so the bodies are stored. */
  end(): void;
  /** The bodies are not stored. */
  drop(): void;
}

/** A request whose bodies may be stored. */
interface StorableRequest {
  readonly requestId: string;
  readonly caller: { readonly storesBodies: boolean; readonly tokenId: number; readonly userId: number };
  readonly ask: ParsedRequest;
  /** Unix seconds. */
  readonly at: number;
}

/** Stores bodies in the background. */
export interface BodyStore {
  /** Begins with the request's body. Returns undefined where nothing is to be stored, or memory is short. */
  begin(request: StorableRequest): StoredExchange | undefined;
  /** Writes what is due, and awaits a write under way. Never throws. */
  flush(): Promise<void>;
}

export interface BodyStoreParts {
  readonly options: OptionStore;
  readonly log: Logger;
  readonly write: (bodies: readonly StoredBodies[]) => Promise<void>;
  /** Removes the oldest bodies until at most so many bytes are left. */
  readonly trim: (mostBytes: number) => Promise<void>;
}

/** Bytes of a body that are read. Redaction removes images, and joining removes the frames of events, so little of them is left. */
const MOST_LOOKED_AT_BYTES = 512 * 1024;
/** Characters of a body that are stored. */
const MOST_KEPT = 64 * 1024;
/** Bytes of all bodies that wait in memory. */
const ROOM_BYTES = 32 * 1024 * 1024;
/** Exchanges that one transaction writes. */
const ROWS_PER_WRITE = 16;
const MEGABYTE = 1024 * 1024;

export function createBodyStore({ options, log, write, trim }: BodyStoreParts): BodyStore {
  let left = 0;
  const due: Exchange[] = [];
  let writing: Promise<void> | undefined;
  let untrimmed = 0;
  const room = new Room();

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
    if (left > 0) log.warn({ requests: left }, "there was no room to keep the bodies of requests");
    left = 0;
    while (due.length > 0) {
      const some = due.splice(0, ROWS_PER_WRITE);
      try {
        await writeSome(some);
      } catch (error) {
        // Bodies are for diagnosis: while the database is unavailable they are dropped, so that memory stays bounded.
        for (const exchange of some) exchange.drop();
        log.error({ err: error, requests: some.length }, "bodies of requests could not be kept");
      }
    }
  };

  return {
    begin(request) {
      if (!request.caller.storesBodies || !options.flag("LogBodiesEnabled") || !options.flag("LogConsumeEnabled"))
        return;
      if (room.taken + request.ask.body.bytes.length > ROOM_BYTES / 2) {
        left += 1;
        return;
      }
      return new Exchange(request, room, (exchange) => void due.push(exchange));
    },
    async flush() {
      writing ??= writeDue().finally(() => (writing = undefined));
      await writing;
    },
  };
}

/** Memory of all bodies that wait. */
class Room {
  #taken = 0;

  /** In bytes. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes so many bytes, or as many as are left. Returns the number. */
  take(bytes: number): number {
    const granted = Math.min(bytes, ROOM_BYTES - this.#taken);
    this.#taken += granted;
    return granted;
  }

  release(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** The beginning of a body. */
class Excerpt {
  readonly #room: Room;
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes of the whole body. */
  length = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get isCut(): boolean {
    return this.length > this.#held;
  }

  /** Copies the bytes, which may be part of a much larger buffer. */
  take(bytes: Buffer): void {
    const isWhole = !this.isCut;
    this.length += bytes.length;
    const wanted = isWhole ? Math.min(bytes.length, MOST_LOOKED_AT_BYTES - this.#held) : 0;
    const granted = this.#room.take(Math.max(0, wanted));
    if (granted === 0) return;
    this.#held += granted;
    this.#pieces.push(Buffer.from(bytes.subarray(0, granted)));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  drop(): void {
    this.#room.release(this.#held);
    this.#held = 0;
    this.#pieces = [];
  }
}

class Exchange implements StoredExchange {
  readonly #of: StorableRequest;
  readonly #request: Excerpt;
  readonly #answer: Excerpt;
  readonly #ended: (exchange: Exchange) => void;

  constructor(of: StorableRequest, room: Room, ended: (exchange: Exchange) => void) {
    this.#of = of;
    this.#ended = ended;
    this.#request = new Excerpt(room);
    this.#answer = new Excerpt(room);
    this.#request.take(keptOf(of.ask.body));
  }

  take(bytes: Buffer): void {
    if (this.#of.ask.media?.kind === "speech") return;
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
    const { requestId, caller, at, ask } = this.#of;
    const request = toText(this.#request.bytes().toString(), this.#request.isCut);
    const answer = toText(readStoredAnswer(ask, this.#answer.bytes()), this.#answer.isCut);
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
function keptOf(body: RequestBody): Buffer {
  return isFormBody(body) ? Buffer.from(JSON.stringify(body.json)) : body.bytes;
}

/** Characters at the cut of a text, where redaction would not recognise the rest of a key. */
const END_LENGTH = 400;

function withoutEnd(text: string): string {
  return text.slice(0, -END_LENGTH) + text.slice(-END_LENGTH).replace(/[^\s"]*$/, "");
}

function toText(text: string, isCut: boolean): { readonly text: string; readonly isCut: boolean } {
  const redacted = redactBody(isCut ? withoutEnd(text) : text);
  const isLong = redacted.length > MOST_KEPT;
  return { text: isLong ? redacted.slice(0, MOST_KEPT).toWellFormed() : redacted, isCut: isCut || isLong };
}
