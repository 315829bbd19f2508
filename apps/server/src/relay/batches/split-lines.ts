import { setImmediate as nextLoop } from "node:timers/promises";

const LINE_FEED = 0x0a;
const SLICE_MS = 2;

export class LineTooLongError extends Error {
  override name = "LineTooLongError";
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} is too long.`);
    this.line = line;
  }
}

/** Splits a file into lines in time slices, without line ends and blank lines. Throws LineTooLongError beyond `mostBytes`. */
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
      // Includes the time that the consumer spent on the last line.
      if (performance.now() - sinceMs > SLICE_MS) {
        await nextLoop();
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
