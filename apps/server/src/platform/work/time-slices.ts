/** Work in slices: each `next` is one slice, the last returns the result. */
export type SlicedWork<Result> = Iterator<void, Result>;

/** Runs long work a slice at a time, one slice (or another number) per turn of the event loop, round robin. */
export class TimeSlices {
  readonly #slicesPerTurn: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(slicesPerTurn = 1) {
    this.#slicesPerTurn = slicesPerTurn;
  }

  schedule(call: () => void): void {
    this.#waiting.push(call);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#runTurn);
  }

  /** Resolves with the result, or rejects with what the work throws. Stops and stays pending once `isWanted` returns false. */
  run<Result>(work: SlicedWork<Result>, isWanted: () => boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const runSlice = (): void => {
        if (!isWanted()) return;
        try {
          const { done, value } = work.next();
          if (done === true) resolve(value);
          else this.schedule(runSlice);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.schedule(runSlice);
    });
  }

  readonly #runTurn = (): void => {
    const calls = this.#waiting.splice(0, this.#slicesPerTurn);
    if (this.#waiting.length > 0) setImmediate(this.#runTurn);
    else this.#isScheduled = false;
    for (const call of calls) call();
  };
}
