import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import type { TimeSlices } from "../../platform/work/time-slices.ts";
import { RelayError } from "../errors/index.ts";
import { type BufferPool } from "./buffer-pool.ts";
import { type BodyCount, type BodyMemory, SHORT_BYTES } from "./body-memory.ts";
import { freePiece } from "../../platform/memory/buffers.ts";

/** Largest body of a relayed request, in bytes. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Bodies of so many bytes are put together as they come. */
const GATHERED_BYTES = 1024 * 1024;
/** How many times what has come room is made for. */
const MOST_TOLD = 8;

/** So many bytes of a body come in before others have their turn. */
const TURN_BYTES = 256 * 1024;
/** Who sends less than this in `bodyStallMs` takes room for nothing, in bytes. */
const LEAST_SENT_BYTES = 32 * 1024;

/** What bodies share on their way into memory. */
export interface BodyIntake {
  readonly bodyMemory: BodyMemory;
  readonly bodyBuffers: BufferPool;
  readonly timeSlices: TimeSlices;
  readonly timeouts: {
    /** In so many ms a body that has begun must go on, by 32 KiB. */
    readonly bodyStallMs: number;
  };
}

/** A body on its way into memory. */
export class IncomingBody {
  readonly #request: CallerRequest;
  readonly #room: BodyMemory;
  readonly #memory: BufferPool;
  readonly #timeSlices: TimeSlices;
  readonly #stallMs: number;
  readonly #received: (bytes: Buffer) => void;
  readonly #refused: (error: RelayError) => void;
  #chunks: Buffer[] = [];
  /** Of a long body whose length was told: its pieces move into it as they come, so that the end of the body takes nobody's turn. */
  #bytes: Buffer | undefined;
  /** All of it, once it has come. */
  #whole: Buffer | undefined;
  #length = 0;
  #userId = 0;
  /** What of it counts for its account; undefined for what is short and came at once. */
  #count: BodyCount | undefined;
  /** Looks whether it still comes. */
  #pace: NodeJS.Timeout | undefined;
  #lengthAtPace = 0;
  /** So much of the length was fetched for it. */
  #fetchedBytes = 0;
  /** What came since it had its turn. */
  #ofTurn = 0;
  #isOver = false;

  constructor(
    request: CallerRequest,
    { bodyMemory, bodyBuffers, timeSlices, timeouts }: BodyIntake,
    received: (bytes: Buffer) => void,
    refused: (error: RelayError) => void,
  ) {
    this.#request = request;
    this.#room = bodyMemory;
    this.#memory = bodyBuffers;
    this.#timeSlices = timeSlices;
    this.#stallMs = timeouts.bodyStallMs;
    this.#received = received;
    this.#refused = refused;
  }

  /**
   * Starts to read what the account has sent; what is sent for no account counts for one that stands for all such. One of the listeners is called once;
   * neither when the caller leaves before the end.
   */
  read(userId = 0): void {
    this.#userId = userId;
    if (this.#told > MAX_BODY_BYTES) return this.#refuse(tooLarge());
    const whole = this.#request.takeWhole?.();
    if (whole !== undefined) return this.#takeWhole(whole);
    this.#request.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#request.once("end", () => this.#end());
    this.#request.resume();
  }

  /** What is fetched for the body counts as if it had come with it. Throws a RelayError (413 or 503) where it is too much, or nobody waits for it. */
  grow(bytes: number): void {
    if (this.#length + bytes > MAX_BODY_BYTES) throw tooLarge(", with the pictures that are fetched for it");
    if (this.#isOver || !this.#makeRoom(bytes, false)) throw noRoom();
    this.#fetchedBytes += bytes;
  }

  /** What was fetched for the body is gone again. */
  shrink(): void {
    this.#room.release(this.#fetchedBytes);
    this.#count?.shrink(this.#fetchedBytes);
    this.#length -= this.#fetchedBytes;
    this.#fetchedBytes = 0;
  }

  /** The body takes no room any more. */
  release(): void {
    this.#isOver = true;
    this.#chunks = [];
    this.#bytes = undefined;
    clearTimeout(this.#pace);
    this.#room.release(this.#length);
    this.#count?.release();
    this.#length = 0;
    this.#fetchedBytes = 0;
  }

  /** Nobody needs the bytes any more: their memory is another body's from now on. */
  discard(): void {
    const whole = this.#whole;
    this.#whole = undefined;
    this.release();
    if (whole !== undefined && whole.length >= GATHERED_BYTES) this.#memory.giveBack(whole);
  }

  #freeChunks(): void {
    for (const chunk of this.#chunks) freePiece(chunk);
    this.#chunks = [];
  }

  /** Counts so many bytes more. False: there is no room for them, and they are not counted. */
  #makeRoom(bytes: number, isWhole: boolean): boolean {
    if (!this.#room.take(bytes)) return false;
    if (this.#count !== undefined || !isWhole || bytes > SHORT_BYTES) {
      this.#count ??= this.#room.countFor(this.#userId);
      if (!this.#count.take(bytes)) {
        this.#room.release(bytes);
        return false;
      }
    }
    this.#length += bytes;
    return true;
  }

  #takeWhole(bytes: Buffer): void {
    if (!this.#makeRoom(bytes.length, true)) return this.#refuse(noRoom());
    this.#whole = bytes;
    this.#received(bytes);
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#length + chunk.length > MAX_BODY_BYTES) return this.#refuse(tooLarge());
    const isWhole = chunk.length === this.#told;
    if (!this.#makeRoom(chunk.length, isWhole)) return this.#refuse(noRoom());
    if (!isWhole) this.#pace ??= setTimeout(() => this.#checkPace(), this.#stallMs);
    if (this.#bytes === undefined) {
      this.#chunks.push(chunk);
      this.#bytes = this.#gather();
    } else {
      chunk.copy(this.#bytes, this.#length - chunk.length);
      freePiece(chunk);
    }
    this.#ofTurn += chunk.length;
    if (this.#ofTurn >= TURN_BYTES) this.#letOthers();
  }

  /** A caller that sends next to nothing keeps its room from others. */
  #checkPace(): void {
    if (this.#length - this.#lengthAtPace < LEAST_SENT_BYTES) return this.#refuse(tooSlow());
    this.#lengthAtPace = this.#length;
    this.#pace?.refresh();
  }

  /** The length that was told, in bytes; 0 where none was. */
  get #told(): number {
    return Number(this.#request.headers["content-length"] ?? 0);
  }

  /** A connection that sends as fast as it can would fill whole timeSlices. */
  #letOthers(): void {
    this.#ofTurn = 0;
    this.#request.pause();
    this.#timeSlices.schedule(() => this.#request.resume());
  }

  /** Room is taken for no more than a few times of what has come: a length is told for free. */
  #gather(): Buffer | undefined {
    const told = this.#told;
    if (told < GATHERED_BYTES || this.#length < told / MOST_TOLD) return undefined;
    const bytes = this.#memory.take(told);
    let at = 0;
    for (const chunk of this.#chunks) at += chunk.copy(bytes, at);
    this.#freeChunks();
    return bytes;
  }

  #end(): void {
    if (this.#isOver) return;
    clearTimeout(this.#pace);
    this.#count?.came();
    const [only] = this.#chunks;
    const bytes =
      this.#bytes?.subarray(0, this.#length) ??
      (this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length));
    if (bytes === only) this.#chunks = [];
    else this.#freeChunks();
    this.#bytes = undefined;
    this.#whole = bytes;
    this.#received(bytes);
  }

  #refuse(error: RelayError): void {
    this.release();
    this.#refused(error);
  }
}

function tooLarge(what = ""): RelayError {
  return new RelayError({
    status: 413,
    type: "invalid_request_error",
    code: "body_too_large",
    message: `The body is larger than 32 MiB${what}.`,
  });
}

function tooSlow(): RelayError {
  return new RelayError({
    status: 408,
    type: "invalid_request_error",
    code: "body_too_slow",
    message: "The body stopped coming, or came too slowly. Send it again, at 2 KB a second or more.",
  });
}

function noRoom(): RelayError {
  return new RelayError({
    status: 503,
    code: "overloaded",
    message: "The gateway has no room for this body right now. Try again in a moment.",
    retryAfterSeconds: 2,
  });
}
