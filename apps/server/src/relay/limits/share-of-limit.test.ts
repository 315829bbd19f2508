import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { shareOfLimit } from "./share-of-limit.ts";

const sharesOf = (limit: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => shareOfLimit(limit, { index, count }));

it("gives each server its part, and all servers the limit", () => {
  assert.deepEqual(sharesOf(10, 3), [4, 3, 3]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 40 }), (limit, count) => {
      const shares = sharesOf(limit, count);
      const sum = shares.reduce((all, share) => all + share, 0);
      assert.equal(sum, Math.max(limit, count));
      assert.ok(shares.every((share) => share >= 1 && Number.isInteger(share)));
    }),
  );
});

it("gives 1 to every server where the limit is below their number, so that no client is refused for ever", () => {
  assert.deepEqual(sharesOf(2, 3), [1, 1, 1]);
});
