import { isUtf8 } from "node:buffer";
import type { TimeSlices } from "../../platform/work/time-slices.ts";
import { BODY_LIMITS, ReadBody, refuseOtherCases, type RequestBody } from "./parse-request.ts";
import { parseInPieces } from "./outline-pieces.ts";
import { badBody, BodyScan, type ScannedObject } from "./scan-body.ts";

/** Bytes scanned per time slice: at most 1 ms of work for any content. */
const SLICE_BYTES = 128 * 1024;
const UTF8_SLICE_BYTES = 1024 * 1024;

/** Bodies up to this length are scanned in the first slice. Most of them need no second one. */
const SINGLE_SLICE_BYTES = 256 * 1024;

/** True for a body that may need several time slices. 150 KB can contain the largest number of objects, which takes 15 ms. */
export function isLong(bytes: Buffer): boolean {
  return bytes.length > BODY_LIMITS.wholeBytes;
}

/** Reads a body in time slices; at once if it is cheap. Throws or rejects with a 400 RelayError. An unwanted body never resolves. */
export function readLongBody(
  bytes: Buffer,
  timeSlices: TimeSlices,
  isWanted: () => boolean,
): RequestBody | Promise<RequestBody> {
  const slices = readInSlices(bytes);
  if (bytes.length <= SINGLE_SLICE_BYTES) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
  return timeSlices.run(slices, isWanted);
}

function* readInSlices(bytes: Buffer): Generator<void, RequestBody, void> {
  yield* checkUtf8(bytes);
  const scanned = yield* scanInSlices(bytes);
  refuseOtherCases(scanned);
  const isInPieces = scanned.pieceEnds.length > 0;
  if (isInPieces) yield;
  const outline = yield* parseInPieces(bytes, scanned);
  if (isInPieces) yield;
  return new ReadBody(bytes, scanned, outline);
}

function* checkUtf8(bytes: Buffer): Generator<void, void, void> {
  for (let from = 0; from < bytes.length;) {
    const end = endOfCharacters(bytes, from + UTF8_SLICE_BYTES);
    if (!isUtf8(bytes.subarray(from, end))) throw badBody("The body is not valid UTF-8.");
    from = end;
    if (from < bytes.length) yield;
  }
}

function* scanInSlices(bytes: Buffer): Generator<void, ScannedObject, void> {
  const scan = new BodyScan(bytes, BODY_LIMITS);
  const sliceBytes = bytes.length <= SINGLE_SLICE_BYTES ? SINGLE_SLICE_BYTES : SLICE_BYTES;
  for (;;) {
    const scanned = scan.advance(sliceBytes);
    if (scanned !== undefined) return scanned;
    yield;
  }
}

function endOfCharacters(bytes: Buffer, from: number): number {
  let end = Math.min(from, bytes.length);
  for (const most = Math.min(end + 4, bytes.length); end < most && isWithinCharacter(bytes[end]); end += 1);
  return end;
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
