import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { OpenDatabase, RunStatement } from "@one-api/database/open-database";

/**
 * What happens to the next commits of a server.
 *
 * | fault  | the commit       | the server receives |
 * |--------|------------------|---------------------|
 * | none   | happens          | the answer          |
 * | before | does not happen  | an error            |
 * | after  | happens          | an error            |
 * | late   | happens later    | an error, at once   |
 */
export type Fault = "none" | "before" | "after" | "late";

/** The connection of one simulated server to its database. Faults concern commits; reads always succeed. */
export class Network {
  fault: Fault = "none";
  /** The server was killed: nothing of it reaches the database any more. */
  isDown = false;
  #underWay = 0;
  #late: (() => Promise<unknown>)[] = [];

  /** Whether a statement of this server has no answer yet. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** Returns the database as the server sees it. */
  around(database: OpenDatabase): OpenDatabase {
    const { writeStatement, db } = database;
    return {
      ...database,
      db: db.withPlugin({
        transformQuery: ({ node }) => {
          this.#underWay += 1;
          return node;
        },
        transformResult: async ({ result }) => {
          this.#underWay -= 1;
          return result;
        },
      }),
      writeTransaction: (work, durability) =>
        this.#send(() => database.writeTransaction(work, durability), "transaction"),
      writeStatement:
        writeStatement &&
        (((sql, parameters) =>
          this.#send(async () => writeStatement(sql, parameters), "statement")) satisfies RunStatement),
    };
  }

  /** Runs the statements that were still under way when their connection broke. Their answers reach nobody. */
  async deliverLate(): Promise<void> {
    for (const statement of this.#late.splice(0)) await statement().catch(() => undefined);
  }

  async #send<Result>(commit: () => Promise<Result>, kind: "transaction" | "statement"): Promise<Result> {
    if (this.isDown || this.fault === "before") throw new DatabaseUnavailableError("The database is out of reach.");
    if (this.fault === "late" && kind === "statement") {
      this.#late.push(commit);
      this.fault = "before";
      throw new CommitOutcomeUnknownError("The connection broke.");
    }
    this.#underWay += 1;
    try {
      const result = await commit();
      if (this.fault === "none") return result;
    } finally {
      this.#underWay -= 1;
    }
    throw new CommitOutcomeUnknownError("The connection broke before the answer.");
  }
}
