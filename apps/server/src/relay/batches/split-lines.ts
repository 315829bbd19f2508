import { setImmediate as nextTurn } from "node:timers/promises";

const LINE_FEED = 0x0a;
/** Whoever reads lines leaves the turn to others after so long, in ms. */
const MOST_AT_A_STRETCH_MS = 2;

/** A line is longer than it may be. */
export class LineTooLongError extends Error {
  override name = "LineTooLongError";
  /** From 1. */
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} is too long.`);
    this.line = line;
  }
}

/**
 * The lines of a file as it comes, without their ends; those that are blank are left out. No more than one line is in memory, and however fast the
 * file comes, others have their turns in between. Throws LineTooLongError for a line of more than `mostBytes`.
 */
export async function* splitLines(source: AsyncIterable<unknown>, mostBytes: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  let count = 0;
  const take = (): Buffer => {
    const line = Buffer.concat(pieces);
    [pieces, length] = [[], 0];
    count += 1;
    return line;
  };
  let sinceMs = performance.now();
  for await (const chunk of source) {
    if (!Buffer.isBuffer(chunk)) continue;
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      // What was done with the line before counts, too: this is where it comes back to.
      if (performance.now() - sinceMs > MOST_AT_A_STRETCH_MS) {
        await nextTurn();
        sinceMs = performance.now();
      }
      pieces.push(chunk.subarray(from, end));
      const line = take();
      if (line.length > mostBytes) throw new LineTooLongError(count);
      if (!isBlank(line)) yield line;
      from = end + 1;
    }
    pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > mostBytes) throw new LineTooLongError(count + 1);
  }
  const last = take();
  if (!isBlank(last)) yield last;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
