import type { Elision, FieldSpan, ScannedObject } from "./scan-body.ts";

/** Prefix of a placeholder. It is random per process, so no caller can send it. */
const PLACEHOLDER = `elided:${crypto.randomUUID()}:`;

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Returns the body as JSON text. Each elided text is a placeholder with its length and offset; names have no needless escapes. */
export function outlineOf(bytes: Buffer, { elisions }: Pick<ScannedObject, "elisions">): string {
  let outline = "";
  let from = 0;
  for (const elision of elisions) {
    outline += bytes.toString("utf8", from, elision.start) + placeholderOf(elision);
    from = elision.end;
  }
  return outline + bytes.toString("utf8", from, bytes.length);
}

function placeholderOf({ name, start, end }: Elision): string {
  return name ?? `${PLACEHOLDER}${end - start}@${start}`;
}

const MAX_PLACEHOLDER_BYTES = 64;

/** Reused for every piece: strings joined by V8 take three times their length on the heap. */
const pieceBuffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Returns the outline of one piece, between two ASCII texts. The piece must not end within a text. */
export function outlineBetween(
  bytes: Buffer,
  { elisions }: Pick<ScannedObject, "elisions">,
  { start, end }: FieldSpan,
  [before, after]: readonly [string, string],
): string {
  const first = firstFrom(elisions, start);
  let last = first;
  let most = before.length + end - start + after.length;
  for (let elision = elisions[first]; elision !== undefined && elision.start < end; elision = elisions[last]) {
    if (elision.name === undefined) most -= elision.end - elision.start - MAX_PLACEHOLDER_BYTES;
    last += 1;
  }
  const piece = most <= pieceBuffer.length ? pieceBuffer : Buffer.allocUnsafeSlow(most);
  let length = piece.write(before);
  let from = start;
  for (let index = first; index < last; index += 1) {
    const elision = elisions[index];
    if (elision === undefined) break;
    length += bytes.copy(piece, length, from, elision.start);
    length += piece.write(placeholderOf(elision), length);
    from = elision.end;
  }
  length += bytes.copy(piece, length, from, end);
  length += piece.write(after, length);
  return piece.toString("utf8", 0, length);
}

export function wholeText(bytes: Buffer, { elisions }: Pick<ScannedObject, "elisions">): string {
  return outlineOf(bytes, { elisions: elisions.filter(({ name }) => name !== undefined) });
}

function firstFrom(elisions: readonly FieldSpan[], offset: number): number {
  let [low, high] = [0, elisions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((elisions[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Length of an outline's text in the body: bytes if it is elided, else UTF-16 units. */
export function lengthInBody(text: string): number {
  return isElided(text) ? spanOf(text).length : text.length;
}

export function isElided(text: string): boolean {
  return text.startsWith(PLACEHOLDER);
}

/** Returns the first UTF-16 units of a text of an outline, elided or not. Never throws. */
export function beginningInBody(text: string, bytes: Buffer, units: number): string {
  if (!isElided(text)) return text.slice(0, units);
  const { start, length } = spanOf(text);
  const stop = start + length;
  let at = start;
  for (let left = units; left > 0 && at < stop; left -= 1) {
    at += bytes[at] !== BACKSLASH ? 1 : bytes[at + 1] === LOWER_U ? 6 : 2;
    while (at < stop && isWithinCharacter(bytes[at])) at += 1;
  }
  return unescaped(bytes.toString("utf8", start, Math.min(at, stop))).slice(0, units);
}

function spanOf(placeholder: string): { readonly length: number; readonly start: number } {
  const [length, start] = placeholder.slice(PLACEHOLDER.length).split("@");
  return { length: Number(length), start: Number(start) };
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** A malformed text is reported when the whole body is parsed. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
