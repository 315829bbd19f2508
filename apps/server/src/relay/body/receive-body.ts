import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import type { Clock } from "../../platform/clock.ts";
import type { TimeSlices } from "../../platform/work/time-slices.ts";
import { RelayError } from "../errors/index.ts";
import { type BufferPool } from "./memory/buffer-pool.ts";
import { type BodyCount, type BodyMemory, SHORT_BYTES } from "./memory/body-memory.ts";
import { freePiece } from "../../platform/memory/buffers.ts";

export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** From this length on, chunks are joined as they arrive. */
const GATHERED_BYTES = 1024 * 1024;
/** A buffer is allocated for at most this multiple of the received bytes. */
const MAX_ALLOCATION_FACTOR = 8;

const SLICE_BYTES = 256 * 1024;
const MIN_PACE_BYTES = 32 * 1024;

export interface BodyIntake {
  readonly bodyMemory: BodyMemory;
  readonly bodyBuffers: BufferPool;
  readonly timeSlices: TimeSlices;
  readonly clock: Clock;
  readonly timeouts: {
    /** An incomplete body is refused if less than 32 KiB arrive in this time. */
    readonly bodyStallMs: number;
  };
}

export class IncomingBody {
  receivedMs = 0;
  readonly #request: CallerRequest;
  readonly #memory: BodyMemory;
  readonly #buffers: BufferPool;
  readonly #timeSlices: TimeSlices;
  readonly #clock: BodyIntake["clock"];
  readonly #stallMs: number;
  readonly #received: (bytes: Buffer) => void;
  readonly #refused: (error: RelayError) => void;
  #chunks: Buffer[] = [];
  /** For a declared length. Chunks are copied as they arrive, so the end of a long body takes little time. */
  #bytes: Buffer | undefined;
  #whole: Buffer | undefined;
  #length = 0;
  #userId = 0;
  /** Undefined for a short body that arrived in one chunk. */
  #count: BodyCount | undefined;
  #pace: NodeJS.Timeout | undefined;
  #lengthAtPace = 0;
  #fetchedBytes = 0;
  #sliceBytes = 0;
  #isOver = false;

  constructor(
    request: CallerRequest,
    { bodyMemory, bodyBuffers, timeSlices, clock, timeouts }: BodyIntake,
    received: (bytes: Buffer) => void,
    refused: (error: RelayError) => void,
  ) {
    this.#request = request;
    this.#memory = bodyMemory;
    this.#buffers = bodyBuffers;
    this.#timeSlices = timeSlices;
    this.#clock = clock;
    this.#stallMs = timeouts.bodyStallMs;
    this.#received = received;
    this.#refused = refused;
  }

  /** Starts to receive the account's body (0: no account). Calls one listener, or none after a disconnect. */
  read(userId = 0): void {
    this.#userId = userId;
    if (this.#declaredBytes > MAX_BODY_BYTES) return this.#refuse(tooLarge());
    const whole = this.#request.takeWhole?.();
    if (whole !== undefined) return this.#takeWhole(whole);
    this.#request.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#request.once("end", () => this.#end());
    this.#request.resume();
  }

  /** Counts fetched content as part of the body. Throws a RelayError: 413 if it is too large, 503 if memory is short. */
  grow(bytes: number): void {
    if (this.#length + bytes > MAX_BODY_BYTES) throw tooLarge(", with the pictures that are fetched for it");
    if (this.#isOver || !this.#claim(bytes, false)) throw noMemory();
    this.#fetchedBytes += bytes;
  }

  shrink(): void {
    this.#memory.release(this.#fetchedBytes);
    this.#count?.shrink(this.#fetchedBytes);
    this.#length -= this.#fetchedBytes;
    this.#fetchedBytes = 0;
  }

  release(): void {
    this.#isOver = true;
    this.#chunks = [];
    this.#bytes = undefined;
    clearTimeout(this.#pace);
    this.#memory.release(this.#length);
    this.#count?.release();
    this.#length = 0;
    this.#fetchedBytes = 0;
  }

  discard(): void {
    const whole = this.#whole;
    this.#whole = undefined;
    this.release();
    if (whole !== undefined && whole.length >= GATHERED_BYTES) this.#buffers.put(whole);
  }

  #freeChunks(): void {
    for (const chunk of this.#chunks) freePiece(chunk);
    this.#chunks = [];
  }

  #claim(bytes: number, isWhole: boolean): boolean {
    if (!this.#memory.take(bytes)) return false;
    if (this.#count !== undefined || !isWhole || bytes > SHORT_BYTES) {
      this.#count ??= this.#memory.countFor(this.#userId);
      if (!this.#count.take(bytes)) {
        this.#memory.release(bytes);
        return false;
      }
    }
    this.#length += bytes;
    return true;
  }

  #takeWhole(bytes: Buffer): void {
    if (!this.#claim(bytes.length, true)) return this.#refuse(noMemory());
    this.#whole = bytes;
    this.receivedMs = this.#clock.monotonicMs();
    this.#received(bytes);
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#length + chunk.length > MAX_BODY_BYTES) return this.#refuse(tooLarge());
    const isWhole = chunk.length === this.#declaredBytes;
    if (!this.#claim(chunk.length, isWhole)) return this.#refuse(noMemory());
    if (!isWhole) this.#pace ??= setTimeout(() => this.#checkPace(), this.#stallMs);
    if (this.#bytes === undefined) {
      this.#chunks.push(chunk);
      this.#bytes = this.#gather();
    } else {
      chunk.copy(this.#bytes, this.#length - chunk.length);
      freePiece(chunk);
    }
    this.#sliceBytes += chunk.length;
    if (this.#sliceBytes >= SLICE_BYTES) this.#yieldSlice();
  }

  #checkPace(): void {
    if (this.#length - this.#lengthAtPace < MIN_PACE_BYTES) return this.#refuse(tooSlow());
    this.#lengthAtPace = this.#length;
    this.#pace?.refresh();
  }

  get #declaredBytes(): number {
    return Number(this.#request.headers["content-length"] ?? 0);
  }

  #yieldSlice(): void {
    this.#sliceBytes = 0;
    this.#request.pause();
    this.#timeSlices.schedule(() => this.#request.resume());
  }

  /** Allocates the buffer once enough of the body has arrived, since declaring a length costs the caller nothing. */
  #gather(): Buffer | undefined {
    const declared = this.#declaredBytes;
    if (declared < GATHERED_BYTES || this.#length < declared / MAX_ALLOCATION_FACTOR) return undefined;
    const bytes = this.#buffers.take(declared);
    let at = 0;
    for (const chunk of this.#chunks) at += chunk.copy(bytes, at);
    this.#freeChunks();
    return bytes;
  }

  #end(): void {
    if (this.#isOver) return;
    clearTimeout(this.#pace);
    this.#count?.complete();
    const [only] = this.#chunks;
    const bytes =
      this.#bytes?.subarray(0, this.#length) ??
      (this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length));
    if (bytes === only) this.#chunks = [];
    else this.#freeChunks();
    this.#bytes = undefined;
    this.#whole = bytes;
    this.receivedMs = this.#clock.monotonicMs();
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

function noMemory(): RelayError {
  return new RelayError({
    status: 503,
    code: "overloaded",
    message: "The gateway has no room for this body right now. Try again in a moment.",
    retryAfterSeconds: 2,
  });
}
