import { isUtf8 } from "node:buffer";
import type { TimeSlices } from "../../platform/work/time-slices.ts";
import { BODY_LIMITS, ReadBody, refuseOtherCases, type RequestBody } from "./parse-request.ts";
import { parseInPieces } from "./outline-pieces.ts";
import { badBody, BodyScan, type ScannedObject } from "./scan-body.ts";

/** So much of a body is gone through at a turn: a millisecond's work at the most, whatever stands there. */
const STEP_BYTES = 128 * 1024;
/** Validity is checked some ten times as fast. */
const UTF8_STEP_BYTES = 1024 * 1024;

/** Bodies up to this many bytes are gone through at once, and in most of them little is left to do then. */
const ONE_STEP_BYTES = 256 * 1024;

/** True for a body that may take more than a turn to read: one of 150 KB can hold as many objects as any, which takes 15 ms. */
export function isLong(bytes: Buffer): boolean {
  return bytes.length > BODY_LIMITS.wholeBytes;
}

/**
 * Reads a body as `readBody` does: at once where that takes little, for to wait for a turn costs every one of them, else a step at a turn. Throws or
 * rejects with a 400 RelayError that says what is wrong with it. Where the body is not wanted any more, nothing comes of it.
 */
export function readLongBody(
  bytes: Buffer,
  timeSlices: TimeSlices,
  isWanted: () => boolean,
): RequestBody | Promise<RequestBody> {
  const steps = readInSteps(bytes);
  if (bytes.length <= ONE_STEP_BYTES) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
  return timeSlices.run(steps, isWanted);
}

function* readInSteps(bytes: Buffer): Generator<void, RequestBody, void> {
  yield* checkUtf8(bytes);
  const scanned = yield* scanInSteps(bytes);
  refuseOtherCases(scanned);
  const isInPieces = scanned.pieceEnds.length > 0;
  if (isInPieces) yield;
  const outline = yield* parseInPieces(bytes, scanned);
  if (isInPieces) yield;
  return new ReadBody(bytes, scanned, outline);
}

function* checkUtf8(bytes: Buffer): Generator<void, void, void> {
  for (let from = 0; from < bytes.length;) {
    const end = endOfCharacters(bytes, from + UTF8_STEP_BYTES);
    if (!isUtf8(bytes.subarray(from, end))) throw badBody("The body is not valid UTF-8.");
    from = end;
    if (from < bytes.length) yield;
  }
}

function* scanInSteps(bytes: Buffer): Generator<void, ScannedObject, void> {
  const scan = new BodyScan(bytes, BODY_LIMITS);
  const stepBytes = bytes.length <= ONE_STEP_BYTES ? ONE_STEP_BYTES : STEP_BYTES;
  for (;;) {
    const scanned = scan.goOn(stepBytes);
    if (scanned !== undefined) return scanned;
    yield;
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
