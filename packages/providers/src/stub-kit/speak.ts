import { setTimeout as pause } from "node:timers/promises";
import type { Behaviour } from "./behaviour.ts";
import { fillerWord } from "./compose-answer.ts";
import type { OpenedSession } from "./stub.ts";

/** Upper bound of buffered output for a slow caller. */
const MOST_WAITING_BYTES = 1024 * 1024;

interface Speech {
  readonly isOver: () => boolean;
  readonly isInterrupted: () => boolean;
  readonly send: (piece: string) => void;
}

/** Sends an answer piece by piece. Returns the number of pieces sent; undefined if the session is over, cut or stalled. */
export async function speak(
  { socket, record }: OpenedSession,
  pieces: readonly string[],
  behaviour: Behaviour,
  { isOver, isInterrupted, send }: Speech,
): Promise<number | undefined> {
  const isEndless = behaviour.kind === "endless";
  for (let index = 0; isEndless || index < pieces.length; index += 1) {
    if (behaviour.chunkDelayMs !== undefined) await pause(behaviour.chunkDelayMs);
    else if (isEndless) await pause(1);
    while (socket.bufferedAmount > MOST_WAITING_BYTES && !isOver()) await pause(1);
    if (isOver()) return undefined;
    if (isInterrupted()) return index;
    const atEnd = "afterChunks" in behaviour && index >= (behaviour.afterChunks ?? 1);
    if (behaviour.kind === "cut" && atEnd) socket.terminate();
    if ((behaviour.kind === "cut" || behaviour.kind === "stall") && atEnd) return undefined;
    send(pieces[index] ?? fillerWord(index, 0));
    record.tokensServed += 1;
  }
  return pieces.length;
}

/** Returns the JSON of a message, which it adds to the record; undefined if it is invalid. */
export function readMessage({ record }: OpenedSession, data: unknown): unknown {
  const text = Buffer.isBuffer(data) ? data.toString() : "";
  if (record.bodyText.length < 1_000_000) record.bodyText += `${text}\n`;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
