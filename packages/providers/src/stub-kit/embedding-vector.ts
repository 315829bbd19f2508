import type { Call } from "./call.ts";

export function vectorsOf({ settings }: Call, texts: readonly string[], dimensions: number): number[][] {
  return texts.map((text) => Array.from(embeddingVector(text, dimensions, settings.seed)));
}

/** Returns a vector of length 1 that depends on the text and the seed alone. FNV-1a (32 bits) hashes the text; mulberry32 generates the numbers. */
export function embeddingVector(text: string, dimensions: number, seed: number): Float32Array {
  const next = numbersFrom(hash(text) ^ seed);
  const vector = Float32Array.from({ length: dimensions }, () => next() * 2 - 1);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

function numbersFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
