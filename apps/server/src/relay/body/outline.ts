import type { Cut, FieldSpan, ScannedObject } from "./scan-body.ts";

/** Anything but a cut text has no such beginning: it is made anew for every process. */
const CUT_TEXT = `cut:${crypto.randomUUID()}:`;

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** Returns the body as JSON text with what the scan has cut left out: of a long text its length and place stand there. Names have no needless escapes. */
export function outlineOf(bytes: Buffer, { cuts }: Pick<ScannedObject, "cuts">): string {
  let outline = "";
  let from = 0;
  for (const cut of cuts) {
    outline += bytes.toString("utf8", from, cut.start) + standInOf(cut);
    from = cut.end;
  }
  return outline + bytes.toString("utf8", from, bytes.length);
}

function standInOf({ name, start, end }: Cut): string {
  return name ?? `${CUT_TEXT}${end - start}@${start}`;
}

/** No stand-in of a long text has more bytes; a name's never has more than the name. */
const MOST_STAND_IN_BYTES = 64;

/** Holds one piece after the other: pieced together as strings, each would take three times its length of the heap. */
const pieceRoom = Buffer.allocUnsafeSlow(256 * 1024);

/** The same of a piece of the body, which ends within no text, between two texts of ASCII. */
export function outlineBetween(
  bytes: Buffer,
  { cuts }: Pick<ScannedObject, "cuts">,
  { start, end }: FieldSpan,
  [before, after]: readonly [string, string],
): string {
  const first = firstFrom(cuts, start);
  let last = first;
  let most = before.length + end - start + after.length;
  for (let cut = cuts[first]; cut !== undefined && cut.start < end; cut = cuts[last]) {
    if (cut.name === undefined) most -= cut.end - cut.start - MOST_STAND_IN_BYTES;
    last += 1;
  }
  const piece = most <= pieceRoom.length ? pieceRoom : Buffer.allocUnsafeSlow(most);
  let length = piece.write(before);
  let from = start;
  for (let index = first; index < last; index += 1) {
    const cut = cuts[index];
    if (cut === undefined) break;
    length += bytes.copy(piece, length, from, cut.start);
    length += piece.write(standInOf(cut), length);
    from = cut.end;
  }
  length += bytes.copy(piece, length, from, end);
  length += piece.write(after, length);
  return piece.toString("utf8", 0, length);
}

/** Returns the whole body as JSON text that can be parsed, with what was cut. */
export function wholeText(bytes: Buffer, { cuts }: Pick<ScannedObject, "cuts">): string {
  return outlineOf(bytes, { cuts: cuts.filter(({ name }) => name !== undefined) });
}

/** The index of the first cut that begins at the place or behind it. */
function firstFrom(cuts: readonly FieldSpan[], place: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cuts[middle]?.start ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The length that a text of an outline has in the body, in UTF-16 units or less; its bytes when it is cut. */
export function lengthInBody(text: string): number {
  return isCutText(text) ? spanOf(text).length : text.length;
}

/** True for what stands in an outline in the place of a long text. */
export function isCutText(text: string): boolean {
  return text.startsWith(CUT_TEXT);
}

/** The beginning of a text of an outline, at most so many UTF-16 units, the same whether it is cut or not. Never throws. */
export function beginningInBody(text: string, bytes: Buffer, units: number): string {
  if (!isCutText(text)) return text.slice(0, units);
  const { start, length } = spanOf(text);
  const stop = start + length;
  let at = start;
  // Each step is at least one unit; the bytes within a character are none.
  for (let left = units; left > 0 && at < stop; left -= 1) {
    at += bytes[at] !== BACKSLASH ? 1 : bytes[at + 1] === LOWER_U ? 6 : 2;
    while (at < stop && isWithinCharacter(bytes[at])) at += 1;
  }
  return unescaped(bytes.toString("utf8", start, Math.min(at, stop))).slice(0, units);
}

function spanOf(cutText: string): { readonly length: number; readonly start: number } {
  const [length, start] = cutText.slice(CUT_TEXT.length).split("@");
  return { length: Number(length), start: Number(start) };
}

function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** A text that is malformed is left as it stands: whoever needs all of it will say so. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
