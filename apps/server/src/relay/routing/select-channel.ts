/** What the choice looks at of a channel. */
export interface Weighable {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
}

/** A candidate and why it cannot be chosen now: `lower-priority`, `no-weight` or what speaks against it by itself; an empty reason when it can. */
export interface Weighed<C extends Weighable> {
  readonly channel: C;
  readonly reason: string;
  /** Part of the requests that it gets, 0 to 1. */
  readonly share: number;
}

/** `random`: weighted at random. `polling`: in turn by weight, less often the more a channel fails and the slower it is. */
export type PoolMode = "random" | "polling";

/**
 * Returns every candidate with its share: the highest priority that has a usable channel gets everything, divided by weight; weights
 * that are all 0 count as equal. `reasonAgainst` says why a channel cannot be used now, or an empty text.
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

/** Chooses by share. `random` is from 0 up to but not 1. Undefined when no candidate can be used. */
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

/** How well channels did lately. */
export interface Quality<C extends Weighable> {
  /** 0 to 1. */
  errorRate(channel: C): number;
  /** Undefined before the first answer: such a channel is taken for as quick as the quickest. */
  latencyMs(channel: C): number | undefined;
}

/** What is left of the weight of a channel that always fails, or of one that is very much slower than the quickest. */
const LEAST_FOR_ERRORS = 0.05;
const LEAST_FOR_LATENCY = 0.2;

/** Returns the part of its weight that a channel keeps for how well it does: a channel that takes twice as long as the quickest keeps half. */
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

/**
 * Chooses in turn, smoothly by weight (the algorithm of nginx's weighted round-robin): every candidate gains its weight, the highest is
 * chosen and loses the total. `credits` carries the state from call to call. Errors lower a weight, and so does time.
 */
export function chooseInTurn<C extends Weighable>(
  weighed: readonly Weighed<C>[],
  credits: Map<number, number>,
  quality: Quality<C>,
): C | undefined {
  const qualityOf = judgeQuality(weighed, quality);
  let total = 0;
  let best: C | undefined;
  let bestCredit = Number.NEGATIVE_INFINITY;
  for (const { channel, share } of weighed) {
    if (share === 0) continue;
    const gain = share * qualityOf(channel);
    const credit = (credits.get(channel.id) ?? 0) + gain;
    credits.set(channel.id, credit);
    total += gain;
    if (credit > bestCredit) {
      best = channel;
      bestCredit = credit;
    }
  }
  if (best !== undefined) credits.set(best.id, bestCredit - total);
  return best;
}

/** Below this a channel does so badly that most of its conversations are better off without their cache. */
const BAD_QUALITY = 0.4;
/** What a channel keeps that does badly: some, so that it is seen when it does better. */
const LEFT_WHEN_BAD = 0.1;

/**
 * Chooses by the conversation's number: the same channel each time while it can be used, on every server, without remembering anything. Over many
 * conversations each channel gets its share; when one rests, only its own go elsewhere, and they come back to where their cache is. With
 * `quality` a channel that does badly gets a tenth: a step, since a weight that moves would move conversations with it.
 * Source: weighted rendezvous hashing, https://en.wikipedia.org/wiki/Rendezvous_hashing
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

/** A number between 0 and 1 that two whole numbers always give, spread evenly. Source: the finalizer of MurmurHash3, fmix32 */
function scatter(conversation: number, id: number): number {
  return ((mixBits(conversation ^ mixBits(id)) >>> 0) + 0.5) / 2 ** 32;
}

function mixBits(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
