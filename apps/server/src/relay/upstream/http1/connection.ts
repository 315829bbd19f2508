import type { Socket } from "node:net";
import { errors } from "undici";
import type { TimeSlices } from "../../../platform/work/time-slices.ts";
import { isInSharedMemory } from "../own-body.ts";
import { type Exchange, toError } from "./exchange.ts";
import type { HeadMemory } from "./response-head.ts";
import { ResponseParser } from "./response-parser.ts";
import { SWEEP_MS, type Sweep } from "./sweep.ts";
import { freePiece } from "../../../platform/memory/buffers.ts";

/** Idle connections are kept this long, in ms, unless the server says less. */
const KEEP_ALIVE_MS = 60_000;
/** So much earlier than the server says, in ms: what is sent while it closes is lost. */
const KEEP_ALIVE_MARGIN_MS = 1_000;
/** So many bytes of a connection are read before all others have their turn. */
const TURN_BYTES = 64 * 1024;
/** Bodies up to this many bytes are copied behind their head, to leave in one write. */
const COPIED_BYTES = 16 * 1024;

/** So many bytes of a long body are sent at a turn: what else a turn brings waits neither for more to be copied nor to be encrypted. */
const PIECE_BYTES = 256 * 1024;

/** Who has the connection. */
export interface ConnectionOwner {
  /** Of the server that all its connections lead to. */
  readonly heads: HeadMemory;
  /** Its answer has ended, and it is kept. */
  freed(connection: Connection): void;
  /** It is of no use any more. */
  gone(connection: Connection): void;
}

/** What the connections of a client share. */
export interface ClientTurns {
  readonly sweep: Sweep;
  /** Connections that bring much read by turns. */
  readonly fastReads: TimeSlices;
}

/** One open connection, with one exchange at a time. */
export class Connection {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #sweep: Sweep;
  readonly #fastReads: TimeSlices;
  readonly #parser: ResponseParser;
  #exchange: Exchange | undefined;
  /** What came and was not taken yet. */
  #held: Buffer | undefined;
  /** The end has come behind what is held. */
  #hasEnded = false;
  /** Bytes that were read since others had their turn. */
  #sinceTurn = 0;
  #isOthersTurn = false;
  #isReading = false;
  #isGone = false;
  /** A part of the body is still to be sent. */
  #isSending = false;
  /** The tick in which something happened last. */
  #seenTick: number;
  /** The tick in which the request was sent. */
  #askedTick = 0;
  #idleMs = KEEP_ALIVE_MS;

  constructor(socket: Socket, owner: ConnectionOwner, { sweep, fastReads }: ClientTurns) {
    this.#socket = socket;
    this.#owner = owner;
    this.#parser = new ResponseParser(owner.heads);
    this.#sweep = sweep;
    this.#fastReads = fastReads;
    this.#seenTick = sweep.tick;
    sweep.add(this);
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.on("end", () => this.#finish());
    socket.on("error", (error) => this.lose(error));
    socket.on("close", () => this.#closed());
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** All that was written has left to the system. */
  get hasSent(): boolean {
    return !this.#isSending && this.#socket.writableLength === 0;
  }

  /** Sends the request of an exchange, whose answer comes next. */
  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#seenTick = this.#askedTick = this.#sweep.tick;
    exchange.connection = this;
    this.#parser.expect(exchange);
    const { requestHead: head, requestBody: body } = exchange;
    const socket = this.#socket;
    if (body === undefined) {
      socket.write(head, "latin1");
    } else if (body.length <= COPIED_BYTES) {
      const bytes = Buffer.allocUnsafe(head.length + body.length);
      bytes.write(head, 0, "latin1");
      body.copy(bytes, head.length);
      socket.write(bytes);
    } else {
      socket.cork();
      socket.write(head, "latin1");
      if (isInSharedMemory(body)) this.#sendInPieces(exchange, body);
      else socket.write(body);
      socket.uncork();
    }
  }

  /** Sends copies: the system never has the body itself in hand, whose memory may be another's once the exchange has ended. */
  #sendInPieces(exchange: Exchange, body: Buffer): void {
    const { length } = body;
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    let sent = 0;
    this.#isSending = true;
    const sendNext = (): void => {
      if (this.#isGone || this.#exchange !== exchange) return;
      const bytes = piece.subarray(0, body.copy(piece, 0, sent));
      sent += bytes.length;
      this.#isSending = sent < length;
      this.#socket.write(bytes, (error) => {
        if (error) return;
        if (sent < length) setImmediate(sendNext);
        else freePiece(piece);
      });
    };
    sendNext();
  }

  /** The exchange takes nothing for a while: what comes waits with the system and with the server. */
  stop(): void {
    if (!this.#isReading) this.#socket.pause();
  }

  /** The exchange takes more after a pause. */
  goOn(): void {
    this.#seenTick = this.#sweep.tick;
    if (this.#isReading || this.#isGone) return;
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#push(held);
    if (this.#held !== undefined || this.#isGone) return;
    if (this.#hasEnded) this.#finish();
    else if (!this.#isOthersTurn) this.#socket.resume();
  }

  /** Closes it at once. Whoever has an exchange on it is not told. */
  destroy(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#exchange = undefined;
    this.#sweep.delete(this);
    this.#owner.gone(this);
    this.#socket.destroy();
  }

  /** Ends what has waited too long. */
  check(tick: number): void {
    const waitedMs = waitedSince(this.#seenTick, tick);
    const exchange = this.#exchange;
    if (exchange === undefined) {
      if (waitedMs >= this.#idleMs) this.destroy();
    } else if (exchange.answerBegan) {
      const { bodyTimeoutMs, paused } = exchange;
      if (!paused && bodyTimeoutMs > 0 && waitedMs >= bodyTimeoutMs) exchange.fail(new errors.BodyTimeoutError());
    } else if (exchange.headersTimeoutMs > 0 && waitedSince(this.#askedTick, tick) >= exchange.headersTimeoutMs) {
      // Neither pieces of a head nor interim answers are one: another channel waits for its turn.
      exchange.fail(new errors.HeadersTimeoutError());
    }
  }

  #read(bytes: Buffer): void {
    if (this.#isGone) return;
    this.#seenTick = this.#sweep.tick;
    // Nobody has asked: whatever it is, it must not be taken for the next answer.
    if (this.#exchange === undefined) return this.destroy();
    this.#sinceTurn += bytes.length;
    // What was decrypted together comes to its end, paused or not. Whoever takes it may give its memory back.
    if (this.#held !== undefined) this.#held = Buffer.concat([this.#held, bytes]);
    else this.#push(bytes);
    if (this.#sinceTurn >= TURN_BYTES && this.#held === undefined && !this.#isGone) this.#letOthers();
  }

  /** Of a fast connection the system would bring up to 32 pieces in a row, and of hundreds of them so much at a turn that new callers wait for seconds. */
  #letOthers(): void {
    this.#sinceTurn = 0;
    this.#isOthersTurn = true;
    this.#socket.pause();
    this.#fastReads.schedule(() => {
      this.#isOthersTurn = false;
      if (!this.#isGone && this.#exchange?.paused !== true) this.#socket.resume();
    });
  }

  /** Hands bytes to the exchange; what it does not take is held, and nothing more is read until it does. */
  #push(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === undefined) return;
    this.#isReading = true;
    let taken: number;
    try {
      taken = this.#parser.push(bytes);
    } catch (error) {
      exchange.fail(toError(error));
      return this.destroy();
    } finally {
      this.#isReading = false;
    }
    if (this.#parser.isOver) return this.#answered(exchange, taken < bytes.length);
    if (this.#isGone || !exchange.paused) return;
    this.#held = taken === 0 ? bytes : bytes.subarray(taken);
    this.#socket.pause();
  }

  /**
   * Bytes beyond the answer are nobody's. Nor is a connection used again on which a body was refused: a server that has not read it may answer once
   * more when it does, and that would be taken for the answer to somebody else.
   */
  #answered({ requestBody, isRefused }: Exchange, hasMore: boolean): void {
    this.#exchange = undefined;
    const { keepAliveMs } = this.#parser;
    this.#idleMs = Math.min(KEEP_ALIVE_MS, (keepAliveMs ?? Number.POSITIVE_INFINITY) - KEEP_ALIVE_MARGIN_MS);
    const isUnread = isRefused && requestBody !== undefined;
    if (hasMore || !this.hasSent || isUnread || this.#idleMs <= 0) this.destroy();
    else if (!this.#isGone) this.#owner.freed(this);
  }

  #finish(): void {
    if (this.#isGone) return;
    if (this.#held !== undefined) {
      this.#hasEnded = true;
      return;
    }
    if (this.#exchange !== undefined && this.#parser.finish()) this.destroy();
    else this.lose(new errors.SocketError("other side closed"));
  }

  #closed(): void {
    if (!this.#hasEnded || this.#held === undefined) this.lose(new errors.SocketError("closed"));
  }

  /** Ends it, and whatever is under way on it. */
  lose(error: Error): void {
    if (this.#isGone) return;
    this.#exchange?.fail(error);
    this.destroy();
  }
}

/** How long it has been since a tick, in ms, and never more than that. */
function waitedSince(tick: number, now: number): number {
  return (now - tick - 1) * SWEEP_MS;
}
