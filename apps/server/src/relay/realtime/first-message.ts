import type { RawData } from "ws";
import { type Message, type SessionEnd, toBuffer } from "./message-pipe.ts";

export interface FirstMessage {
  readonly first: Message;
  readonly rest: () => readonly Message[];
}

export class NoFirstMessage extends Error {
  readonly reason: "closed" | "late" | "large";
  readonly code: number;

  constructor(reason: NoFirstMessage["reason"], code = 0, message = "") {
    super(message);
    this.reason = reason;
    this.code = code;
  }
}

interface WaitLimits {
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** Waits for the first message of one side, then pauses it. Rejects with NoFirstMessage, or with the signal's reason. */
export function awaitFirstMessage({ socket, connection }: SessionEnd, limits: WaitLimits): Promise<FirstMessage> {
  const { timeoutMs, mostBytes, signal } = limits;
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
      // The last piece, and bytes before counting began, are not counted yet.
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
    const abort = (): void => fail(signal.reason instanceof Error ? signal.reason : new Error("The wait was aborted."));
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
