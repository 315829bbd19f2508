import { isUtf8 } from "node:buffer";
import type { TurnQueue } from "../../core/turn-queue.ts";
import { BODY_LIMITS, ReadBody, refuseOtherCases, type RelayBody } from "./read-ask.ts";
import { parseInPieces } from "./outline-pieces.ts";
import { badBody, BodyScan } from "./scan-body.ts";

/** Bodies up to this many bytes are read at once. */
const SHORT_BYTES = 256 * 1024;
/** So much of a body is gone through at a turn: a millisecond's work at the most, whatever stands there. */
const STEP_BYTES = 128 * 1024;
/** Validity is checked some ten times as fast. */
const UTF8_STEP_BYTES = 1024 * 1024;

/** True for a body that is not to be read in one turn. */
export function isLong(bytes: Buffer): boolean {
  return bytes.length > SHORT_BYTES;
}

/**
 * Reads a body as `readBody` does, a step at a turn. Rejects with a 400 RelayError that says what is wrong with it. Where the body is not wanted any
 * more, nothing comes of it.
 */
export function readLongBody(bytes: Buffer, turns: TurnQueue, isWanted: () => boolean): Promise<RelayBody> {
  return turns.do(readInSteps(bytes), isWanted);
}

function* readInSteps(bytes: Buffer): Generator<void, RelayBody, void> {
  for (let from = 0; from < bytes.length;) {
    const end = endOfCharacters(bytes, from + UTF8_STEP_BYTES);
    if (!isUtf8(bytes.subarray(from, end))) throw badBody("The body is not valid UTF-8.");
    from = end;
    yield;
  }
  const scan = new BodyScan(bytes, BODY_LIMITS);
  for (;;) {
    const scanned = scan.goOn(STEP_BYTES);
    yield;
    if (scanned === undefined) continue;
    refuseOtherCases(scanned);
    const body = new ReadBody(bytes, scanned, yield* parseInPieces(bytes, scanned));
    yield;
    return body;
  }
}

/** Where a character ends, at this byte or, where one began before it, a few later. */
function endOfCharacters(bytes: Buffer, from: number): number {
  let end = Math.min(from, bytes.length);
  for (const most = Math.min(end + 4, bytes.length); end < most && isWithinCharacter(bytes[end]); end += 1);
  return end;
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
