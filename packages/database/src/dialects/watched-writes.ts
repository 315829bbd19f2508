import { DatabaseUnavailableError } from "../database-errors.ts";

/** Counts writes that the database could not take: it is out of reach or only reads, or its disk is full or fails. */
export class WatchedWrites {
  #failed = 0;

  get failed(): number {
    return this.#failed;
  }

  /** Returns the outcome of a write, and counts a failure of the database. */
  async watch<Result>(write: Promise<Result>): Promise<Result> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) this.#failed += 1;
      throw error;
    }
  }
}
