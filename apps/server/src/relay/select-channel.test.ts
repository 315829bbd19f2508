import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseAtRandom, chooseInTurn, weighCandidates } from "./select-channel.ts";

const channels = [
  { id: 1, priority: 10, weight: 3 },
  { id: 2, priority: 10, weight: 1 },
  { id: 3, priority: 0, weight: 100 },
];
const awake = () => "";

function picks(count: number, choose: (index: number) => { id: number } | undefined): Map<number, number> {
  const counts = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const id = choose(index)?.id ?? 0;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

describe("channel selection", () => {
  it("gives everything to the highest priority, divided by weight [CHSTATE-24] [CHSTATE-25] [CHSTATE-26]", () => {
    const weighed = weighCandidates(channels, awake);
    assert.deepEqual(
      weighed.map(({ share }) => share),
      [0.75, 0.25, 0],
    );
    const counts = picks(1_000, (index) => chooseAtRandom(weighed, index / 1_000));
    assert.deepEqual(
      [...counts].sort(([left], [right]) => left - right),
      [
        [1, 750],
        [2, 250],
      ],
    );
  });

  it("falls to the next priority when a tier rests, and says why", () => {
    const weighed = weighCandidates(channels, ({ id }) => (id === 3 ? "" : "rate-limited"));
    assert.equal(chooseAtRandom(weighed, 0.99)?.id, 3);
    assert.deepEqual(
      weighed.map(({ reason }) => reason),
      ["rate-limited", "rate-limited", ""],
    );
    assert.equal(
      chooseAtRandom(
        weighCandidates(channels, () => "tried already"),
        0,
      ),
      undefined,
    );
  });

  it("treats weights that are all 0 as equal", () => {
    const equal = channels.map((channel) => ({ ...channel, priority: 0, weight: 0 }));
    assert.deepEqual(
      weighCandidates(equal, awake).map(({ share }) => share),
      [1 / 3, 1 / 3, 1 / 3],
    );
  });

  it("polls smoothly by weight and goes easier on a failing channel [CHSTATE-27] [CHSTATE-29]", () => {
    const weighed = weighCandidates(channels, awake);
    const credits = new Map<number, number>();
    const order = Array.from({ length: 8 }, () => chooseInTurn(weighed, credits, () => 0)?.id);
    assert.deepEqual(order, [1, 1, 2, 1, 1, 1, 2, 1]);
    const turns = new Map<number, number>();
    const counts = picks(1_000, () => chooseInTurn(weighed, turns, ({ id }) => (id === 1 ? 0.9 : 0)));
    assert.ok((counts.get(2) ?? 0) > (counts.get(1) ?? 0));
  });
});
