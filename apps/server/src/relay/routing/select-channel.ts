export interface Weighable {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
}

/** A channel with its share of the requests. Its reason for having none: `lower-priority`, `no-weight` or its own; empty otherwise. */
export interface Weighed<C extends Weighable> {
  readonly channel: C;
  readonly reason: string;
  readonly share: number;
}

/**
 * `random`: at random by weight. `polling`: round-robin by weight, lowered by errors and latency. `cheapest`: at random
 * among the channels of the lowest cost.
 */
export type PoolMode = "random" | "polling" | "cheapest";

/**
 * Returns every channel with its share: the highest priority with a usable channel gets all requests, divided by weight. `reasonAgainst` returns an empty text for a usable channel.
 */
export function weigh<C extends Weighable>(
  candidates: readonly C[],
  reasonAgainst: (channel: C) => string,
): Weighed<C>[] {
  const judged = candidates.map((channel) => ({ channel, reason: reasonAgainst(channel) }));
  let top = Number.NEGATIVE_INFINITY;
  for (const { channel, reason } of judged) if (reason === "" && channel.priority > top) top = channel.priority;
  const inTier = judged.filter(({ channel, reason }) => reason === "" && channel.priority === top);
  const total = inTier.reduce((sum, { channel }) => sum + channel.weight, 0);
  return judged.map(({ channel, reason }) => {
    if (reason !== "") return { channel, reason, share: 0 };
    if (channel.priority < top) return { channel, reason: "lower-priority", share: 0 };
    if (total === 0) return { channel, reason: "", share: 1 / inTier.length };
    return { channel, reason: channel.weight === 0 ? "no-weight" : "", share: channel.weight / total };
  });
}

export interface CostOrder<C extends Weighable> {
  readonly costOf: (channel: C) => number;
  /** Undefined before the first answer. */
  readonly latencyMs: (channel: C) => number | undefined;
  /** Channels of a higher latency are used only if all have one; 0 for any. */
  readonly maxLatencyMs: number;
}

/** Moves all shares to the cheapest channels, with reasons `dearer` and `slow` for the others. */
export function preferCheapest<Compared extends Weighable, C extends Compared>(
  weighed: readonly Weighed<C>[],
  { costOf, latencyMs, maxLatencyMs }: CostOrder<Compared>,
): Weighed<C>[] {
  const isSlow = (channel: C) => maxLatencyMs > 0 && (latencyMs(channel) ?? 0) > maxLatencyMs;
  const shared = weighed.filter(({ share }) => share > 0);
  const quick = shared.filter(({ channel }) => !isSlow(channel));
  const able = quick.length > 0 ? quick : shared;
  const least = Math.min(...able.map(({ channel }) => costOf(channel)));
  const total = able.reduce((sum, { channel, share }) => sum + (costOf(channel) === least ? share : 0), 0);
  return weighed.map((entry) => {
    const { channel, share } = entry;
    if (share === 0) return entry;
    if (!able.includes(entry)) return { channel, reason: "slow", share: 0 };
    return costOf(channel) === least
      ? { channel, reason: "", share: share / total }
      : { channel, reason: "dearer", share: 0 };
  });
}

export function poolModeOf(text: string): PoolMode {
  return text === "polling" || text === "cheapest" ? text : "random";
}

/** Chooses by share. `random` is from 0 up to but not 1. Returns undefined without a usable channel. */
export function chooseAtRandom<C extends Weighable>(weighed: readonly Weighed<C>[], random: number): C | undefined {
  let left = random;
  let last: C | undefined;
  for (const { channel, share } of weighed) {
    if (share === 0) continue;
    last = channel;
    left -= share;
    if (left < 0) return channel;
  }
  return last;
}

export interface Quality<C extends Weighable> {
  errorRate(channel: C): number;
  /** Undefined before the first answer, which counts as the lowest latency. */
  latencyMs(channel: C): number | undefined;
}

/** Factor of the weight of a channel that always fails, or is much slower than the fastest. */
const LEAST_FOR_ERRORS = 0.05;
const LEAST_FOR_LATENCY = 0.2;

/** Returns the factor of a channel's weight: half for twice the latency of the fastest. */
function judgeQuality<C extends Weighable>(
  weighed: readonly Weighed<C>[],
  quality: Quality<C>,
): (channel: C) => number {
  let quickestMs = Number.POSITIVE_INFINITY;
  for (const { channel, share } of weighed) {
    if (share > 0) quickestMs = Math.min(quickestMs, quality.latencyMs(channel) ?? quickestMs);
  }
  return (channel) => {
    const latencyMs = Math.max(1, quality.latencyMs(channel) ?? quickestMs);
    const speed = latencyMs === Number.POSITIVE_INFINITY ? 1 : Math.max(1, quickestMs) / latencyMs;
    return Math.max(LEAST_FOR_ERRORS, 1 - quality.errorRate(channel)) * Math.max(LEAST_FOR_LATENCY, speed);
  };
}

/** Sums of shares such as a third differ by less: equal channels keep their order. */
const ROUNDING = 1e-9;

/**
 * Chooses by smooth weighted round-robin, as nginx does: every channel gains its weight, the highest is chosen and loses the total. `credits` is the
 * state. With `quality`, errors and latency lower a weight.
 */
export function chooseInTurn<C extends Weighable>(
  weighed: readonly Weighed<C>[],
  credits: Map<number, number>,
  quality?: Quality<C>,
): C | undefined {
  const qualityOf = quality === undefined ? () => 1 : judgeQuality(weighed, quality);
  let total = 0;
  let best: C | undefined;
  let bestCredit = Number.NEGATIVE_INFINITY;
  for (const { channel, share } of weighed) {
    if (share === 0) continue;
    const gain = share * qualityOf(channel);
    const credit = (credits.get(channel.id) ?? 0) + gain;
    credits.set(channel.id, credit);
    total += gain;
    if (credit > bestCredit + ROUNDING) {
      best = channel;
      bestCredit = credit;
    }
  }
  if (best !== undefined) credits.set(best.id, bestCredit - total);
  return best;
}

/** Factor below which a channel loses most of its conversations, although their prompts are cached there. */
const BAD_QUALITY = 0.4;
/** Factor of such a channel: above 0, so that an improvement is seen. */
const LEFT_WHEN_BAD = 0.1;

/**
 * Chooses by the conversation's number: the same channel each time while it is usable, on every server, without state. Each channel gets its share of
 * the conversations; a cooldown moves only its own, which return afterwards.
 * With `quality`, a poor channel gets a tenth in one step, since gradual weights would move conversations. Source: weighted rendezvous hashing,
 * https://en.wikipedia.org/wiki/Rendezvous_hashing
 */
export function chooseForConversation<C extends Weighable>(
  weighed: readonly Weighed<C>[],
  conversation: number,
  quality?: Quality<C>,
): C | undefined {
  const qualityOf = quality === undefined ? undefined : judgeQuality(weighed, quality);
  let best: C | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const { channel, share } of weighed) {
    if (share === 0) continue;
    const isBad = qualityOf !== undefined && qualityOf(channel) < BAD_QUALITY;
    const score = (isBad ? share * LEFT_WHEN_BAD : share) / -Math.log(scatter(conversation, channel.id));
    if (score > bestScore) {
      best = channel;
      bestScore = score;
    }
  }
  return best;
}

/** Returns a number from 0 to 1 for two integers, evenly spread. Source: finalizer of MurmurHash3, fmix32 */
function scatter(conversation: number, id: number): number {
  return ((mixBits(conversation ^ mixBits(id)) >>> 0) + 0.5) / 2 ** 32;
}

function mixBits(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
