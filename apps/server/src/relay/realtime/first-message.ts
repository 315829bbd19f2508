import type { RawData } from "ws";
import { type Message, type SessionEnd, toBuffer } from "./message-pipe.ts";

/** The first message of one end. */
export interface FirstMessage {
  readonly first: Message;
  /** Stops listening and returns what has come since. */
  readonly rest: () => readonly Message[];
}

/** Why no message came: it is closed, too late, or larger than it may be. */
export class NoFirstMessage extends Error {
  readonly reason: "closed" | "late" | "large";
  /** Of the close, RFC 6455, 7.4; 0 where it is not closed. */
  readonly code: number;

  constructor(reason: NoFirstMessage["reason"], code = 0, message = "") {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

/** How long a message is waited for, in ms, how many bytes it may have, and what ends the wait. */
interface Patience {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Waits for the first message of one end; then nothing more is read there. Rejects with NoFirstMessage, or with the signal's reason. */
export function awaitFirstMessage({ socket, connection }: SessionEnd, patience: Patience): Promise<FirstMessage> {
  const { timeoutMs, mostBytes, signal } = patience;
  const messages: Message[] = [];
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const stopWaiting = (): void => {
      clearTimeout(timer);
      connection.off("data", count);
      socket.off("close", close);
      signal.removeEventListener("abort", abort);
    };
    const fail = (error: Error): void => {
      stopWaiting();
      socket.off("message", take);
      reject(error);
    };
    const take = (data: RawData, isBinary: boolean): void => {
      const message = { bytes: toBuffer(data), isBinary };
      // What came with its last piece, or before anybody counted, is not counted yet.
      if (messages.length === 0 && message.bytes.length > mostBytes) return fail(new NoFirstMessage("large"));
      messages.push(message);
      if (messages.length > 1) return;
      socket.pause();
      stopWaiting();
      resolve({ first: message, rest });
    };
    const rest = (): readonly Message[] => {
      socket.off("message", take);
      return messages.slice(1);
    };
    const count = ({ length }: Buffer): void => {
      bytes += length;
      if (bytes > mostBytes) fail(new NoFirstMessage("large"));
    };
    const close = (code: number, reason: Buffer): void => fail(new NoFirstMessage("closed", code, reason.toString()));
    const abort = (): void =>
      fail(signal.reason instanceof Error ? signal.reason : new Error("Nobody waits any more."));
    const timer = setTimeout(() => fail(new NoFirstMessage("late")), timeoutMs);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    connection.on("data", count);
    socket
      .on("message", take)
      .on("close", close)
      .on("error", () => undefined);
    socket.resume();
  });
}
