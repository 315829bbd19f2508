import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseAtRandom, chooseForConversation, chooseInTurn, type Quality, weigh } from "./select-channel.ts";

const channels = [
  { id: 1, priority: 10, weight: 3 },
  { id: 2, priority: 10, weight: 1 },
  { id: 3, priority: 0, weight: 100 },
];
const awake = () => "";
const alike: Quality<{ id: number; priority: number; weight: number }> = {
  errorRate: () => 0,
  latencyMs: () => undefined,
};

interface Measured {
  readonly errors: number;
  readonly ms?: number;
}

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
    const weighed = weigh(channels, awake);
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
    const weighed = weigh(channels, ({ id }) => (id === 3 ? "" : "rate-limited"));
    assert.equal(chooseAtRandom(weighed, 0.99)?.id, 3);
    assert.deepEqual(
      weighed.map(({ reason }) => reason),
      ["rate-limited", "rate-limited", ""],
    );
    assert.equal(
      chooseAtRandom(
        weigh(channels, () => "tried already"),
        0,
      ),
      undefined,
    );
  });

  it("treats weights that are all 0 as equal", () => {
    const equal = channels.map((channel) => ({ ...channel, priority: 0, weight: 0 }));
    assert.deepEqual(
      weigh(equal, awake).map(({ share }) => share),
      [1 / 3, 1 / 3, 1 / 3],
    );
  });

  it("polls smoothly by weight and goes easier on a failing channel [CHSTATE-27] [CHSTATE-29]", () => {
    const weighed = weigh(channels, awake);
    const credits = new Map<number, number>();
    const order = Array.from({ length: 8 }, () => chooseInTurn(weighed, credits, alike)?.id);
    assert.deepEqual(order, [1, 1, 2, 1, 1, 1, 2, 1]);
    const turns = new Map<number, number>();
    const counts = picks(1_000, () =>
      chooseInTurn(weighed, turns, { ...alike, errorRate: ({ id }) => (id === 1 ? 0.9 : 0) }),
    );
    assert.ok((counts.get(2) ?? 0) > (counts.get(1) ?? 0));
  });

  it("passes over what cools down, and takes it in again when it is awake [CHSTATE-28]", () => {
    const credits = new Map<number, number>();
    const cooling = weigh(channels, ({ id }) => (id === 1 ? "rate-limited" : ""));
    assert.deepEqual([...picks(10, () => chooseInTurn(cooling, credits, alike))], [[2, 10]]);
    const later = picks(8, () => chooseInTurn(weigh(channels, awake), credits, alike));
    assert.ok((later.get(1) ?? 0) > 0);
  });

  describe("polling by quality [CHSTATE-29]", () => {
    const two = [
      { id: 1, priority: 0, weight: 1 },
      { id: 2, priority: 0, weight: 1 },
    ];
    /** Error rate and latency of both channels, and the share of turns that the first gets. */
    const cases: readonly [what: string, first: Measured, second: Measured, share: number][] = [
      ["alike", { errors: 0, ms: 300 }, { errors: 0, ms: 300 }, 0.5],
      ["twice as slow", { errors: 0, ms: 600 }, { errors: 0, ms: 300 }, 1 / 3],
      ["four times as slow", { errors: 0, ms: 1_200 }, { errors: 0, ms: 300 }, 0.2],
      ["very much slower keeps a sixth", { errors: 0, ms: 60_000 }, { errors: 0, ms: 300 }, 1 / 6],
      ["not measured yet counts as the quickest", { errors: 0 }, { errors: 0, ms: 300 }, 0.5],
      ["nobody measured", { errors: 0 }, { errors: 0 }, 0.5],
      ["half of the calls fail", { errors: 0.5, ms: 300 }, { errors: 0, ms: 300 }, 1 / 3],
      ["everything fails", { errors: 1, ms: 300 }, { errors: 0, ms: 300 }, 1 / 21],
      ["quick and failing beside slow and sound", { errors: 0.75, ms: 100 }, { errors: 0, ms: 200 }, 1 / 3],
      ["answers that took no time", { errors: 0, ms: 0 }, { errors: 0, ms: 0 }, 0.5],
    ];
    for (const [what, first, second, share] of cases) {
      it(what, () => {
        const of = ({ id }: { readonly id: number }) => (id === 1 ? first : second);
        const quality = {
          errorRate: (channel: { id: number }) => of(channel).errors,
          latencyMs: (channel: { id: number }) => of(channel).ms,
        };
        const turns = new Map<number, number>();
        const counts = picks(2_100, () => chooseInTurn(weigh(two, awake), turns, quality));
        assert.ok(Math.abs((counts.get(1) ?? 0) / 2_100 - share) < 0.005, `${counts.get(1)} of 2100`);
      });
    }
  });

  it("gives weight 0 nothing while others are awake, and all of it when none is [CHLIST-41]", () => {
    const mixed = [
      { id: 1, priority: 0, weight: 0 },
      { id: 2, priority: 0, weight: 2 },
    ];
    assert.deepEqual(
      weigh(mixed, awake).map(({ share, reason }) => [share, reason]),
      [
        [0, "no-weight"],
        [1, ""],
      ],
    );
    assert.deepEqual(
      weigh(mixed, ({ id }) => (id === 2 ? "failing" : "")).map(({ share }) => share),
      [1, 0],
    );
  });

  describe("by conversation", () => {
    const four = [3, 1, 0, 2].map((weight, index) => ({ id: 7 * index + 1, priority: 0, weight }));
    const everyone = weigh(four, awake);
    const conversations = Array.from({ length: 6_000 }, (_, index) => index * 2_654_435 + 17);
    const choices = (weighed: typeof everyone, quality?: typeof alike) =>
      conversations.map((conversation) => chooseForConversation(weighed, conversation, quality)?.id);
    const shareOf = (id: number, chosen: readonly (number | undefined)[]) =>
      chosen.filter((one) => one === id).length / chosen.length;

    it("gives each channel its weight of the conversations, and nothing to weight 0", () => {
      const chosen = choices(everyone);
      assert.equal(shareOf(15, chosen), 0);
      for (const { channel, share } of everyone) {
        assert.ok(
          Math.abs(shareOf(channel.id, chosen) - share) < 0.02,
          `${channel.id}: ${shareOf(channel.id, chosen)}`,
        );
      }
    });

    it("keeps to its channel in whatever order they come, and moves those alone whose channel rests", () => {
      const before = choices(everyone);
      assert.deepEqual(choices(everyone.toReversed()), before);
      const without = choices(weigh(four, ({ id }) => (id === 1 ? "rate-limited" : "")));
      assert.ok(without.every((id, index) => (before[index] === 1 ? id !== 1 : id === before[index])));
      const left = without.filter((_, index) => before[index] === 1);
      assert.ok(Math.abs(shareOf(22, left) - 2 / 3) < 0.03, "those that move are shared out by weight too");
      assert.deepEqual(choices(everyone), before, "and they come back");
    });

    it("moves no more than a new channel's share to it", () => {
      const before = choices(everyone);
      const more = choices(weigh([...four, { id: 99, priority: 0, weight: 2 }], awake));
      assert.ok(more.every((id, index) => id === before[index] || id === 99));
      assert.ok(Math.abs(shareOf(99, more) - 0.25) < 0.02);
    });

    it("stays where a channel is a little slower, and leaves one that does badly but for a few", () => {
      const before = choices(everyone);
      const slower: typeof alike = { errorRate: () => 0, latencyMs: ({ id }) => (id === 1 ? 190 : 100) };
      assert.deepEqual(choices(everyone, slower), before);
      const failing: typeof alike = { errorRate: ({ id }) => (id === 1 ? 0.9 : 0), latencyMs: () => 100 };
      const share = shareOf(1, choices(everyone, failing));
      assert.ok(share > 0.05 && share < 0.13, `${share}`);
    });

    it("is chosen by nobody where nobody can be used", () => {
      assert.equal(
        chooseForConversation(
          weigh(four, () => "failing"),
          1,
        ),
        undefined,
      );
    });
  });
});
