export class RunningCount {
  readonly #counts = new Map<number, number>();

  of(userId: number): number {
    return this.#counts.get(userId) ?? 0;
  }

  async run<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(userId, this.of(userId) + 1);
    try {
      return await work();
    } finally {
      const rest = this.of(userId) - 1;
      if (rest === 0) this.#counts.delete(userId);
      else this.#counts.set(userId, rest);
    }
  }
}
