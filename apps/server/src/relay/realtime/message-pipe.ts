import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import type { MemoryBudget, MemoryClaim } from "../../platform/memory/memory-budget.ts";

/** One message of a session, whole. */
export interface Message {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** What is sent on in the place of a message: its own bytes where nothing is changed, undefined for nothing. */
export type Passed = Buffer | string | undefined;

/** One end of a session: what is spoken over, and the connection below it. */
export interface SessionEnd {
  readonly socket: WebSocket;
  readonly connection: Socket;
}

/** What a pipe is made of. */
interface MessagePipeParts {
  readonly from: SessionEnd;
  readonly to: SessionEnd;
  readonly room: MemoryBudget;
  /** For whose account is counted. */
  readonly userId: number;
  /** What a control frame has beside its payload, in bytes: callers' are masked. */
  readonly controlFrameBytes: number;
  /** On the clock for durations, in ms. */
  readonly nowMs: () => number;
  /** Decides what of a message is sent on; the ones after it wait while it takes its time. */
  readonly look: (message: Message) => Passed | Promise<Passed>;
  /** `look` has failed: nothing more is sent on. */
  readonly failed: (error: unknown) => void;
  /** Others wait for the room of what is stalled here: the session has to end. */
  readonly stalled: () => void;
}

/** So much may wait for whoever takes it, in bytes, and so little must be left before more is read. */
const MOST_WAITING_BYTES = 1024 * 1024;
const FEW_WAITING_BYTES = 64 * 1024;

/** So much must come of a message, or be taken of what waits, in whatever time is given, in bytes: a byte now and then is nothing. */
const LEAST_MOVED_BYTES = 32 * 1024;
/** For a whole message to come, in ms. */
const MESSAGE_MS = 300_000;

type Reason = "looking" | "slow" | "room";

/**
 * Messages from one end to the other, in order, no faster than they are taken. What has come and has not left is counted, also of messages that
 * are not whole yet: beyond the room that all sessions share it is not read on.
 */
export class MessagePipe {
  readonly #parts: MessagePipeParts;
  readonly #claim: MemoryClaim;
  readonly #queue: Message[] = [];
  readonly #pausedFor = new Set<Reason>();
  #isOver = false;
  #heldBytes = 0;
  /** What of them is of a message that is not whole yet. */
  #partialBytes = 0;
  #beganMs = 0;
  #heardMs: number;
  /** Since when less than `LEAST_MOVED_BYTES` came of it, and how much. */
  #cameSinceMs = 0;
  #cameBytes = 0;
  /** The same of what the other end takes. */
  #takenSinceMs: number;
  #takenBytes = 0;
  #sentBytes = 0;
  #drained: (() => void) | undefined;

  constructor(parts: MessagePipeParts) {
    this.#parts = parts;
    this.#heardMs = this.#takenSinceMs = parts.nowMs();
    this.#claim = parts.room.claim({
      userId: parts.userId,
      resume: () => this.#goOn("room"),
      stalledMs: () => this.#stalledMs(parts.nowMs()),
      abort: () => parts.stalled(),
    });
  }

  /** When the last bytes came, on the clock for durations, in ms. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** Lets messages pass, `early` ones first. */
  start(early: readonly Message[] = []): void {
    const { socket, connection } = this.#parts.from;
    // Before they are read: with a message's end, all of it has been counted.
    connection.prependListener("data", this.#count);
    socket.on("message", this.#take).on("ping", this.#passOver).on("pong", this.#passOver);
    socket.resume();
    for (const message of early) {
      this.#hold(message.bytes.length);
      this.#queue.push(message);
    }
    this.#pump();
  }

  /** Nothing more is sent on, and what comes is not kept. */
  stop(): void {
    const { socket, connection } = this.#parts.from;
    this.#isOver = true;
    connection.off("data", this.#count);
    socket.off("message", this.#take).off("ping", this.#passOver).off("pong", this.#passOver);
    this.#queue.length = 0;
    this.#claim.release();
    // Its end is to be heard.
    socket.resume();
  }

  /** Calls back once everything that has come so far is sent on. */
  whenDrained(drained: () => void): void {
    this.#drained = drained;
    this.#settleDown();
  }

  /** True when next to nothing was taken by the other end for so long, or came of a message, or a message takes too long to come. */
  isStalled(nowMs: number, mostMs: number): boolean {
    return this.#stalledMs(nowMs) >= mostMs || (this.#isInMiddle && nowMs - this.#beganMs >= MESSAGE_MS);
  }

  /** For how long nothing moves, whoever is the reason: also a message that waits for room holds what has come of it. */
  #stalledMs(nowMs: number): number {
    const { bufferedAmount } = this.#parts.to.socket;
    const takenBytes = this.#sentBytes - bufferedAmount;
    if (bufferedAmount === 0 || takenBytes - this.#takenBytes >= LEAST_MOVED_BYTES) {
      this.#takenSinceMs = nowMs;
      this.#takenBytes = takenBytes;
    }
    if (bufferedAmount > 0) return nowMs - this.#takenSinceMs;
    return this.#isInMiddle ? nowMs - this.#cameSinceMs : 0;
  }

  get #isInMiddle(): boolean {
    return this.#partialBytes > 0 && this.#queue.length === 0 && !this.#pausedFor.has("looking");
  }

  readonly #count = ({ length }: Buffer): void => {
    this.#heardMs = this.#parts.nowMs();
    if (this.#partialBytes === 0) this.#beganMs = this.#heardMs;
    this.#cameBytes += length;
    if (this.#partialBytes === 0 || this.#cameBytes >= LEAST_MOVED_BYTES) {
      this.#cameSinceMs = this.#heardMs;
      this.#cameBytes = 0;
    }
    this.#partialBytes += length;
    this.#hold(length);
  };

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (!this.#claim.take(bytes)) this.#pause("room");
  }

  readonly #take = (data: RawData, isBinary: boolean): void => {
    this.#partialBytes = 0;
    this.#queue.push({ bytes: toBuffer(data), isBinary });
    this.#pump();
  };

  /** A ping or its answer is no message, and may come in the middle of one. */
  readonly #passOver = ({ length }: Buffer): void => {
    this.#partialBytes = Math.max(0, this.#partialBytes - length - this.#parts.controlFrameBytes);
    this.#settleDown();
  };

  #pump(): void {
    while (!this.#isOver && !this.#pausedFor.has("looking")) {
      const message = this.#queue.shift();
      if (message === undefined) break;
      try {
        const passed = this.#parts.look(message);
        if (passed instanceof Promise) this.#wait(passed, message);
        else this.#send(passed, message);
      } catch (error) {
        return this.#parts.failed(error);
      }
    }
    this.#settleDown();
  }

  #wait(passed: Promise<Passed>, message: Message): void {
    this.#pause("looking");
    passed.then((bytes) => {
      this.#send(bytes, message);
      this.#goOn("looking");
      this.#pump();
    }, this.#parts.failed);
  }

  #send(bytes: Passed, { isBinary }: Message): void {
    const { socket } = this.#parts.to;
    if (bytes === undefined || this.#isOver || socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount === 0) {
      this.#takenSinceMs = this.#parts.nowMs();
      this.#takenBytes = this.#sentBytes;
    }
    this.#sentBytes += Buffer.byteLength(bytes);
    socket.send(bytes, { binary: isBinary }, this.#sent);
    if (socket.bufferedAmount > MOST_WAITING_BYTES) this.#pause("slow");
  }

  readonly #sent = (): void => {
    if (this.#parts.to.socket.bufferedAmount <= FEW_WAITING_BYTES) this.#goOn("slow");
    this.#settleDown();
  };

  #pause(reason: Reason): void {
    this.#pausedFor.add(reason);
    this.#parts.from.socket.pause();
  }

  #goOn(reason: Reason): void {
    if (!this.#pausedFor.delete(reason) || this.#pausedFor.size > 0 || this.#isOver) return;
    this.#parts.from.socket.resume();
  }

  /** Gives the room back of what has left, once no whole message waits here. */
  #settleDown(): void {
    if (this.#queue.length > 0 || this.#pausedFor.has("looking")) return;
    this.#drained?.();
    this.#drained = undefined;
    const leftBytes = this.#heldBytes - this.#partialBytes - this.#parts.to.socket.bufferedAmount;
    if (leftBytes <= 0) return;
    this.#heldBytes -= leftBytes;
    this.#claim.give(leftBytes);
  }
}

/** A message's bytes in one piece. */
export function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
