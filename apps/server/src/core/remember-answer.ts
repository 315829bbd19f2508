import type { CallContext } from "./call-context.ts";

type SharedContext = Pick<CallContext, "database" | "clock" | "logStore">;

/**
 * Returns a reader that calls `read` at most once in the lifetime. A failure repeats the last answer until the lifetime is over; without one the reader rejects.
 */
export function rememberAnswer<Answer>(
  lifetimeMs: number,
  read: (context: SharedContext) => Promise<Answer>,
): (context: SharedContext) => Promise<Answer> {
  let known: { readonly atMs: number; readonly answer: Promise<Answer> } | undefined;
  return ({ database, clock, logStore }) => {
    if (known !== undefined && clock.monotonicMs() - known.atMs < lifetimeMs) return known.answer;
    const before = known;
    // Runs without the caller's signal, because other callers wait for the same answer.
    const answer = read({ database, clock, logStore }).catch((error: unknown) => {
      if (before === undefined) throw error;
      return before.answer;
    });
    const asked = { atMs: clock.monotonicMs(), answer };
    known = asked;
    answer.catch(() => {
      if (known === asked) known = undefined;
    });
    return answer;
  };
}
