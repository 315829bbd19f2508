/** A request whose caller disconnected before the channel began to answer. */
export interface UnansweredRequest {
  readonly userId: number;
  readonly silentMs: number;
  readonly waitMs: number;
}

/** Unanswered requests of one channel and model, in ms of the monotonic clock. */
export interface UnansweredRequests {
  /** Callers that disconnected in a row, with no answer in between. */
  readonly left: readonly { readonly userId: number; readonly atMs: number }[];
  readonly restMs: number;
  readonly restsUntilMs: number;
}

/** Time of the channel's last answer for the model, and its mean latency, in ms. */
export interface AnswerTimes {
  readonly beganAtMs: number;
  readonly meanMs: number;
}

/** Unanswered requests in a row that start a cooldown; more for a single account, which may just be impatient. */
const LEFT_TO_BELIEVE = { ofSeveral: 3, ofOne: 5 } as const;
/** Older unanswered requests do not count. */
const LEFT_WINDOW_MS = 600_000;
/** A request counts after this part of the gateway's timeout … */
const PART_OF_WAIT = 1 / 6;
/** … and after this multiple of the mean latency. */
const TIMES_MEAN = 4;
const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;

const NONE: UnansweredRequests = { left: [], restMs: 0, restsUntilMs: 0 };

/**
 * Returns the state after another unanswered request at `nowMs`; undefined if an answer came meanwhile. Several in a row start a cooldown until
 * `restsUntilMs`, which each further one doubles.
 */
export function afterUnanswered(
  known: UnansweredRequests | undefined,
  { userId, silentMs, waitMs }: UnansweredRequest,
  nowMs: number,
  answers: AnswerTimes | undefined,
): UnansweredRequests | undefined {
  const { beganAtMs, meanMs } = answers ?? { beganAtMs: Number.NEGATIVE_INFINITY, meanMs: 0 };
  if (beganAtMs > nowMs - silentMs) return undefined;
  const before = stillTrue(known, nowMs, beganAtMs);
  if (silentMs < Math.max(waitMs * PART_OF_WAIT, meanMs * TIMES_MEAN)) return before;
  // A request that began before the cooldown ended adds nothing.
  if (nowMs - silentMs < before.restsUntilMs) return before;
  const left = [...before.left, { userId, atMs: nowMs }].slice(-LEFT_TO_BELIEVE.ofOne);
  if (before.restMs === 0 && !isBelieved(left)) return { ...before, left };
  const restMs = before.restMs === 0 ? FIRST_REST_MS : Math.min(before.restMs * 2, LONGEST_REST_MS);
  return { left, restMs, restsUntilMs: nowMs + restMs };
}

/** Entries that neither an answer nor age has voided. */
function stillTrue(known: UnansweredRequests | undefined, nowMs: number, answeredAtMs: number): UnansweredRequests {
  if (known === undefined || known.left.some(({ atMs }) => atMs <= answeredAtMs)) return NONE;
  const left = known.left.filter(({ atMs }) => atMs > nowMs - LEFT_WINDOW_MS);
  return left.length === 0 ? NONE : { ...known, left };
}

function isBelieved(left: UnansweredRequests["left"]): boolean {
  const accounts = new Set(left.map(({ userId }) => userId));
  return left.length >= (accounts.size > 1 ? LEFT_TO_BELIEVE.ofSeveral : LEFT_TO_BELIEVE.ofOne);
}
