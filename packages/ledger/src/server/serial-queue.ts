/** Runs tasks one after another: one statement at a time on a connection. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  get length(): number {
    return this.#waiting;
  }

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const result = this.#last.then(task).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}
