/** A caller who left while the channel had not begun to answer for the model. */
export interface SilentCall {
  readonly userId: number;
  /** How long the channel was silent, in ms. */
  readonly silentMs: number;
  /** After how long the gateway itself would have given up, in ms. */
  readonly waitMs: number;
}

/** What is known of a channel's silence for one model. Times are those of the clock for durations, in ms. */
export interface Silence {
  /** Those who left in a row, with no answer begun meanwhile. */
  readonly left: readonly { readonly userId: number; readonly atMs: number }[];
  /** How long the last rest was; 0 before the first. */
  readonly restMs: number;
  readonly restsUntilMs: number;
}

/** When a channel last began an answer for the model, and how long it takes until then on the average, in ms. */
export interface AnswerTimes {
  readonly beganAtMs: number;
  readonly meanMs: number;
}

/** So many who leave in a row say that a channel is silent: more where they are of one account, which may just be impatient. */
const LEFT_TO_BELIEVE = { ofSeveral: 3, ofOne: 5 } as const;
/** Who left longer ago says nothing any more. */
const LEFT_WINDOW_MS = 600_000;
/** Silence means something after this part of the time in which the gateway itself would give up … */
const PART_OF_WAIT = 1 / 6;
/** … and after so many times what the channel takes on the average. */
const TIMES_MEAN = 4;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;

const NONE: Silence = { left: [], restMs: 0, restsUntilMs: 0 };

/**
 * What is known after one more caller has left at `nowMs`; undefined for nothing, as somebody was answered meanwhile. Where several in a row left
 * after a long silence the model rests there, until `restsUntilMs`; while nobody was answered since, the next one who leaves doubles the rest.
 */
export function afterSilentCall(
  known: Silence | undefined,
  { userId, silentMs, waitMs }: SilentCall,
  nowMs: number,
  answers: AnswerTimes | undefined,
): Silence | undefined {
  const { beganAtMs, meanMs } = answers ?? { beganAtMs: Number.NEGATIVE_INFINITY, meanMs: 0 };
  if (beganAtMs > nowMs - silentMs) return undefined;
  const before = stillTrue(known, nowMs, beganAtMs);
  if (silentMs < Math.max(waitMs * PART_OF_WAIT, meanMs * TIMES_MEAN)) return before;
  // Who began to wait before the rest was over says nothing new.
  if (nowMs - silentMs < before.restsUntilMs) return before;
  const left = [...before.left, { userId, atMs: nowMs }].slice(-LEFT_TO_BELIEVE.ofOne);
  if (before.restMs === 0 && !isBelieved(left)) return { ...before, left };
  const restMs = before.restMs === 0 ? FIRST_REST_MS : Math.min(before.restMs * 2, LONGEST_REST_MS);
  return { left, restMs, restsUntilMs: nowMs + restMs };
}

/** What an answer has not disproved since, and time has not. */
function stillTrue(known: Silence | undefined, nowMs: number, answeredAtMs: number): Silence {
  if (known === undefined || known.left.some(({ atMs }) => atMs <= answeredAtMs)) return NONE;
  const left = known.left.filter(({ atMs }) => atMs > nowMs - LEFT_WINDOW_MS);
  return left.length === 0 ? NONE : { ...known, left };
}

function isBelieved(left: Silence["left"]): boolean {
  const accounts = new Set(left.map(({ userId }) => userId));
  return left.length >= (accounts.size > 1 ? LEFT_TO_BELIEVE.ofSeveral : LEFT_TO_BELIEVE.ofOne);
}
