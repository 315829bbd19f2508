/** Work that is done in steps: each `next` is one, the last returns what came of it. */
export type StepwiseWork<Result> = Iterator<void, Result>;

/**
 * Does long work in steps, one step of one piece of work at each turn of the event loop (or another number of steps), so that whatever else a turn
 * brings waits for a step at the most. Several pieces of work go on by turns.
 */
export class TurnQueue {
  readonly #stepsPerTurn: number;
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;

  constructor(stepsPerTurn = 1) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** Calls at the next turn that is free. */
  soon(call: () => void): void {
    this.#waiting.push(call);
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(this.#turn);
  }

  /** Does the work while it is wanted; resolves with what came of it, and never where nobody wants it any more. Rejects with what the work throws. */
  do<Result>(work: StepwiseWork<Result>, isWanted: () => boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        if (!isWanted()) return;
        try {
          const { done, value } = work.next();
          if (done === true) resolve(value);
          else this.soon(step);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.soon(step);
    });
  }

  readonly #turn = (): void => {
    const calls = this.#waiting.splice(0, this.#stepsPerTurn);
    if (this.#waiting.length > 0) setImmediate(this.#turn);
    else this.#isTurning = false;
    for (const call of calls) call();
  };
}
