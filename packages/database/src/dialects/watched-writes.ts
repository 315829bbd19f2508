import { DatabaseUnavailableError } from "../database-errors.ts";

/** Counts writes that failed because the database is unreachable, read-only, or its disk full or failing. */
export class WatchedWrites {
  #failed = 0;

  get failed(): number {
    return this.#failed;
  }

  async watch<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) this.#failed += 1;
      throw error;
    }
  }
}
