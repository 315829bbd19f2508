import assert from "node:assert/strict";
import { it } from "node:test";
import { DeliveredText } from "./delivered-text.ts";

const countWords = (text: string) => text.split(" ").length - 1;

it("counts a short stream exactly, also on repeated calls", () => {
  const delivered = new DeliveredText((piece: string) => piece, countWords);
  assert.equal(delivered.tokens(), 0);
  for (let word = 1; word <= 100; word += 1) {
    delivered.add("word ");
    if (word % 7 === 0) assert.equal(delivered.tokens(), word);
  }
  assert.equal(delivered.tokens(), 100);
});

it("extrapolates a long stream without reading it", () => {
  let read = 0;
  const readText = (piece: string) => {
    read += piece.length;
    return piece;
  };
  const delivered = new DeliveredText(readText, countWords);
  for (let word = 0; word < 1_000_000; word += 1) delivered.add("word ");
  const tokens = delivered.tokens();
  assert.ok(Math.abs(tokens - 1_000_000) < 1_000, String(tokens));
  assert.ok(read < 100_000, String(read));
});
