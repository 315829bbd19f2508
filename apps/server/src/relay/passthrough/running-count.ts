/** How much of one kind of work accounts have under way in this process. */
export class RunningCount {
  readonly #counts = new Map<number, number>();

  /** The account's, without what begins now. */
  of(userId: number): number {
    return this.#counts.get(userId) ?? 0;
  }

  /** Does one more for the account. */
  async run<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(userId, this.of(userId) + 1);
    try {
      return await work();
    } finally {
      const left = this.of(userId) - 1;
      if (left === 0) this.#counts.delete(userId);
      else this.#counts.set(userId, left);
    }
  }
}
