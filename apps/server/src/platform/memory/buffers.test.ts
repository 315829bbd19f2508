import assert from "node:assert/strict";
import { it } from "node:test";
import { freePiece, joinPieces } from "./buffers.ts";

it("frees a whole buffer, but no slice of a larger one", () => {
  const whole = Buffer.allocUnsafeSlow(8);
  freePiece(whole);
  assert.equal(whole.length, 0);
  const slice = Buffer.allocUnsafeSlow(8).subarray(0, 4);
  freePiece(slice);
  assert.equal(slice.length, 4);
});

it("joins pieces and frees those that are no slice", () => {
  const whole = Buffer.allocUnsafeSlow(70_000).fill("a");
  const shared = Buffer.allocUnsafeSlow(4).fill("b");
  const joined = joinPieces([whole, shared.subarray(0, 2)]);
  assert.equal(joined.toString(), `${"a".repeat(70_000)}bb`);
  assert.equal(whole.length, 0);
  assert.equal(shared.toString(), "bbbb");
  const only = Buffer.allocUnsafeSlow(70_000);
  assert.equal(joinPieces([only]), only);
});
