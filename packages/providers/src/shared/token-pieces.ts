/** Longest unbroken run that is counted as one. A tokenizer's work grows with the square of a run's length. */
const MAX_RUN_LENGTH = 128;

/** Texts up to this many UTF-16 units are counted wholly; of longer ones as much is looked at. */
const MAX_LOOKED_AT = 100_000;

const SLICE_COUNT = 50;

/** Runs that a tokenizer may see as one: letters, and what is neither letter nor digit. The look-behinds keep the search linear. */
const longRun = new RegExp(
  ["[\\p{L}\\p{M}]", "[^\\p{L}\\p{N}]"].map((kind) => `(?<!${kind})${kind}{${MAX_RUN_LENGTH + 1},}`).join("|"),
  "gu",
);
const runPieces = new RegExp(`[\\s\\S]{1,${MAX_RUN_LENGTH}}`, "gu");

/** The text in pieces whose tokens can be counted in linear time; joined they are the text. Tokens across a cut count twice. */
export function tokenPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const run of text.matchAll(longRun)) {
    if (run.index > from) {
      pieces.push(text.slice(from, run.index));
    }
    for (const piece of run[0].match(runPieces) ?? []) {
      pieces.push(piece);
    }
    from = run.index + run[0].length;
  }
  if (from < text.length) {
    pieces.push(text.slice(from));
  }
  return pieces;
}

/**
 * Counts a text by counting its pieces. Of a text beyond 100,000 units, evenly spread slices are counted and scaled up, so that
 * the time of one count has a bound.
 */
export function countPieces(text: string, count: (piece: string) => number): number {
  if (text.length <= MAX_LOOKED_AT) {
    return tokenPieces(text).reduce((sum, piece) => sum + count(piece), 0);
  }
  const sliceLength = MAX_LOOKED_AT / SLICE_COUNT;
  const step = (text.length - sliceLength) / (SLICE_COUNT - 1);
  let tokens = 0;
  for (let index = 0; index < SLICE_COUNT; index += 1) {
    const start = Math.floor(index * step);
    tokens += countPieces(text.slice(start, start + sliceLength), count);
  }
  return Math.ceil((tokens * text.length) / MAX_LOOKED_AT);
}
