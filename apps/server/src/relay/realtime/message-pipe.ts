import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import type { MemoryBudget, MemoryClaim } from "../../platform/memory/memory-budget.ts";

export interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** Bytes to forward: the message's own if unchanged, undefined for none. */
export type Forwarded = Buffer | string | undefined;

export interface SessionEnd {
  readonly socket: WebSocket;
  readonly connection: Socket;
}

interface PipeContext {
  readonly from: SessionEnd;
  readonly to: SessionEnd;
  readonly memory: MemoryBudget;
  readonly userId: number;
  /** Overhead of a control frame, in bytes: 6 with a caller's mask, else 2. */
  readonly controlFrameBytes: number;
  readonly nowMs: () => number;
  /** Returns what to forward. Later messages wait for it. */
  readonly transform: (message: Message) => Forwarded | Promise<Forwarded>;
  readonly failed: (error: unknown) => void;
  /** Another claim waits for this memory: the session must end. */
  readonly stalled: () => void;
}

const HIGH_WATER_BYTES = 1024 * 1024;
const LOW_WATER_BYTES = 64 * 1024;

/** Progress that counts within a timeout: fewer bytes are a stall. */
const MIN_PROGRESS_BYTES = 32 * 1024;
const MESSAGE_MS = 300_000;

type Reason = "transforming" | "slow" | "memory";

/** Forwards messages in order, with backpressure. Received bytes are claimed until they are sent; beyond the memory budget nothing is read. */
export class MessagePipe {
  readonly #context: PipeContext;
  readonly #claim: MemoryClaim;
  readonly #queue: Message[] = [];
  readonly #pausedFor = new Set<Reason>();
  #isOver = false;
  #claimedBytes = 0;
  /** Part of `#claimedBytes` of an incomplete message. */
  #partialBytes = 0;
  #beganMs = 0;
  #receivedMs: number;
  /** Start and bytes of the current progress period of receiving. */
  #receivingSinceMs = 0;
  #receivedBytes = 0;
  #sendingSinceMs: number;
  #drainedBytes = 0;
  #sentBytes = 0;
  #drained: (() => void) | undefined;

  constructor(context: PipeContext) {
    this.#context = context;
    this.#receivedMs = this.#sendingSinceMs = context.nowMs();
    this.#claim = context.memory.claim({
      userId: context.userId,
      resume: () => this.#resume("memory"),
      stalledMs: () => this.#stalledMs(context.nowMs()),
      abort: () => context.stalled(),
    });
  }

  get receivedMs(): number {
    return this.#receivedMs;
  }

  start(early: readonly Message[] = []): void {
    const { socket, connection } = this.#context.from;
    // Before the message event: a complete message has been counted.
    connection.prependListener("data", this.#count);
    socket.on("message", this.#take).on("ping", this.#skipControlFrame).on("pong", this.#skipControlFrame);
    socket.resume();
    for (const message of early) {
      this.#claimBytes(message.bytes.length);
      this.#queue.push(message);
    }
    this.#pump();
  }

  stop(): void {
    const { socket, connection } = this.#context.from;
    this.#isOver = true;
    connection.off("data", this.#count);
    socket.off("message", this.#take).off("ping", this.#skipControlFrame).off("pong", this.#skipControlFrame);
    this.#queue.length = 0;
    this.#claim.release();
    // The close event must still arrive.
    socket.resume();
  }

  whenDrained(drained: () => void): void {
    this.#drained = drained;
    this.#releaseSent();
  }

  /** True if sending or receiving made no progress for `mostMs`, or a message takes too long. */
  isStalled(nowMs: number, mostMs: number): boolean {
    return this.#stalledMs(nowMs) >= mostMs || (this.#isIncomplete && nowMs - this.#beganMs >= MESSAGE_MS);
  }

  /** Time without progress, for any reason: a message that waits for memory retains its own. */
  #stalledMs(nowMs: number): number {
    const { bufferedAmount } = this.#context.to.socket;
    const drainedBytes = this.#sentBytes - bufferedAmount;
    if (bufferedAmount === 0 || drainedBytes - this.#drainedBytes >= MIN_PROGRESS_BYTES) {
      this.#sendingSinceMs = nowMs;
      this.#drainedBytes = drainedBytes;
    }
    if (bufferedAmount > 0) return nowMs - this.#sendingSinceMs;
    return this.#isIncomplete ? nowMs - this.#receivingSinceMs : 0;
  }

  get #isIncomplete(): boolean {
    return this.#partialBytes > 0 && this.#queue.length === 0 && !this.#pausedFor.has("transforming");
  }

  readonly #count = ({ length }: Buffer): void => {
    this.#receivedMs = this.#context.nowMs();
    if (this.#partialBytes === 0) this.#beganMs = this.#receivedMs;
    this.#receivedBytes += length;
    if (this.#partialBytes === 0 || this.#receivedBytes >= MIN_PROGRESS_BYTES) {
      this.#receivingSinceMs = this.#receivedMs;
      this.#receivedBytes = 0;
    }
    this.#partialBytes += length;
    this.#claimBytes(length);
  };

  #claimBytes(bytes: number): void {
    this.#claimedBytes += bytes;
    if (!this.#claim.take(bytes)) this.#pause("memory");
  }

  readonly #take = (data: RawData, isBinary: boolean): void => {
    this.#partialBytes = 0;
    this.#queue.push({ bytes: toBuffer(data), isBinary });
    this.#pump();
  };

  /** Control frames may arrive within a message and do not belong to it. */
  readonly #skipControlFrame = ({ length }: Buffer): void => {
    this.#partialBytes = Math.max(0, this.#partialBytes - length - this.#context.controlFrameBytes);
    this.#releaseSent();
  };

  #pump(): void {
    while (!this.#isOver && !this.#pausedFor.has("transforming")) {
      const message = this.#queue.shift();
      if (message === undefined) break;
      try {
        const forwarded = this.#context.transform(message);
        if (forwarded instanceof Promise) this.#wait(forwarded, message);
        else this.#send(forwarded, message);
      } catch (error) {
        return this.#context.failed(error);
      }
    }
    this.#releaseSent();
  }

  #wait(forwarded: Promise<Forwarded>, message: Message): void {
    this.#pause("transforming");
    forwarded.then((bytes) => {
      this.#send(bytes, message);
      this.#resume("transforming");
      this.#pump();
    }, this.#context.failed);
  }

  #send(bytes: Forwarded, { isBinary }: Message): void {
    const { socket } = this.#context.to;
    if (bytes === undefined || this.#isOver || socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount === 0) {
      this.#sendingSinceMs = this.#context.nowMs();
      this.#drainedBytes = this.#sentBytes;
    }
    this.#sentBytes += Buffer.byteLength(bytes);
    socket.send(bytes, { binary: isBinary }, this.#sent);
    if (socket.bufferedAmount > HIGH_WATER_BYTES) this.#pause("slow");
  }

  readonly #sent = (): void => {
    if (this.#context.to.socket.bufferedAmount <= LOW_WATER_BYTES) this.#resume("slow");
    this.#releaseSent();
  };

  #pause(reason: Reason): void {
    this.#pausedFor.add(reason);
    this.#context.from.socket.pause();
  }

  #resume(reason: Reason): void {
    if (!this.#pausedFor.delete(reason) || this.#pausedFor.size > 0 || this.#isOver) return;
    this.#context.from.socket.resume();
  }

  #releaseSent(): void {
    if (this.#queue.length > 0 || this.#pausedFor.has("transforming")) return;
    this.#drained?.();
    this.#drained = undefined;
    const sentBytes = this.#claimedBytes - this.#partialBytes - this.#context.to.socket.bufferedAmount;
    if (sentBytes <= 0) return;
    this.#claimedBytes -= sentBytes;
    this.#claim.give(sentBytes);
  }
}

export function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
