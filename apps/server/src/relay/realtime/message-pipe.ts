import type { Socket } from "node:net";
import { type RawData, WebSocket } from "ws";
import type { ByteBudget, ByteClaim } from "../upstream/byte-budget.ts";

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
  readonly room: ByteBudget;
  /** On the clock for durations, in ms. */
  readonly nowMs: () => number;
  /** Decides what of a message is sent on; the ones after it wait while it takes its time. */
  readonly look: (message: Message) => Passed | Promise<Passed>;
  /** `look` has failed: nothing more is sent on. */
  readonly failed: (error: unknown) => void;
}

/** So much may wait for whoever takes it, in bytes, and so little must be left before more is read. */
const MOST_WAITING_BYTES = 1024 * 1024;
const FEW_WAITING_BYTES = 64 * 1024;

type Reason = "looking" | "slow" | "room";

/**
 * Messages from one end to the other, in order, no faster than they are taken. What has come and has not left is counted, also of messages that
 * are not whole yet: beyond the room that all sessions share it is not read on.
 */
export class MessagePipe {
  readonly #parts: MessagePipeParts;
  readonly #claim: ByteClaim;
  readonly #queue: Message[] = [];
  readonly #pausedFor = new Set<Reason>();
  #isOver = false;
  #heldBytes = 0;
  #heardMs: number;
  #waitingBytes = 0;
  #takenMs: number;
  #drained: (() => void) | undefined;

  constructor(parts: MessagePipeParts) {
    this.#parts = parts;
    this.#heardMs = this.#takenMs = parts.nowMs();
    this.#claim = parts.room.claim(() => this.#goOn("room"));
  }

  /** When the last bytes came, on the clock for durations, in ms. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** Lets messages pass, `early` ones first. */
  start(early: readonly Message[] = []): void {
    const { socket, connection } = this.#parts.from;
    connection.on("data", this.#count);
    socket.on("message", this.#take);
    socket.resume();
    for (const message of early) {
      this.#count(message.bytes);
      this.#queue.push(message);
    }
    this.#pump();
  }

  /** Nothing more is sent on, and what comes is not kept. */
  stop(): void {
    const { socket, connection } = this.#parts.from;
    this.#isOver = true;
    connection.off("data", this.#count);
    socket.off("message", this.#take);
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

  /** True when the other end has taken nothing for so long, or a message has stopped in its middle. */
  isStalled(nowMs: number, mostMs: number): boolean {
    const { bufferedAmount } = this.#parts.to.socket;
    if (bufferedAmount === 0 || bufferedAmount < this.#waitingBytes) this.#takenMs = nowMs;
    this.#waitingBytes = bufferedAmount;
    if (bufferedAmount > 0) return nowMs - this.#takenMs >= mostMs;
    const isInMiddle = this.#heldBytes > 0 && this.#pausedFor.size === 0 && this.#queue.length === 0;
    return isInMiddle && nowMs - this.#heardMs >= mostMs;
  }

  readonly #count = ({ length }: Buffer): void => {
    this.#heardMs = this.#parts.nowMs();
    this.#heldBytes += length;
    if (!this.#claim.take(length)) this.#pause("room");
  };

  readonly #take = (data: RawData, isBinary: boolean): void => {
    this.#queue.push({ bytes: toBuffer(data), isBinary });
    this.#pump();
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
    socket.send(bytes, { binary: isBinary }, this.#sent);
    if (socket.bufferedAmount > MOST_WAITING_BYTES) this.#pause("slow");
  }

  readonly #sent = (): void => {
    this.#takenMs = this.#parts.nowMs();
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

  /** Gives the room back when nothing waits here; of a message that has begun, what comes from now on is counted. */
  #settleDown(): void {
    if (this.#queue.length > 0 || this.#pausedFor.has("looking")) return;
    this.#drained?.();
    this.#drained = undefined;
    if (this.#heldBytes === 0 || this.#parts.to.socket.bufferedAmount > 0) return;
    this.#heldBytes = 0;
    this.#claim.release();
  }
}

/** A message's bytes in one piece. */
export function toBuffer(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
