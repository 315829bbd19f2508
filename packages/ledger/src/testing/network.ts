import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { OpenDatabase, StatementConnection } from "@one-api/database/open-database";

/**
 * What happens to the next statements of a server.
 *
 * | fault  | the statement    | the server receives |
 * |--------|------------------|---------------------|
 * | none   | happens          | the answer          |
 * | before | does not happen  | an error            |
 * | after  | happens          | an error            |
 * | late   | happens later    | an error, at once   |
 */
export type Fault = "none" | "before" | "after" | "late";

/** The connections of one simulated server to its database. */
export class Network {
  fault: Fault = "none";
  /** Statements that pass before the fault begins. */
  passing = 0;
  /** The server was killed: nothing of it reaches the database any more. */
  isDown = false;
  #frozen: PromiseWithResolvers<void> | undefined;
  #underWay = 0;
  #late: (() => Promise<unknown>)[] = [];
  readonly #connections: StatementConnection[] = [];

  /** Whether a statement of this server has no answer yet. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** From now on the server does nothing. */
  freeze(): void {
    this.#frozen = Promise.withResolvers();
  }

  /** The server goes on, with what it was about to send. */
  wake(): void {
    this.#frozen?.resolve();
    this.#frozen = undefined;
  }

  /** Returns the database as the server sees it. */
  around(database: OpenDatabase): OpenDatabase {
    const { openStatements } = database;
    return {
      ...database,
      listen: undefined,
      writeTransaction: (work, durability) =>
        this.#send(() => database.writeTransaction(work, durability), "transaction"),
      openStatements: openStatements && (() => this.#aroundConnection(openStatements())),
    };
  }

  /** Runs the statements that were still under way when their connection broke. Their answers reach nobody. */
  async deliverLate(): Promise<void> {
    for (const statement of this.#late.splice(0)) await statement().catch(() => undefined);
  }

  /** Ends the connections, also those of a server that was killed. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.splice(0).map((connection) => connection.close()));
  }

  #aroundConnection(connection: StatementConnection): StatementConnection {
    this.#connections.push(connection);
    return {
      run: (sql, parameters) => this.#send(async () => connection.run(sql, parameters), "statement"),
      // What was sent and not answered has its own fault here.
      disconnect: () => undefined,
      close: async () => undefined,
    };
  }

  async #send<Result>(commit: () => Promise<Result>, kind: "transaction" | "statement"): Promise<Result> {
    await this.#frozen?.promise;
    if (this.isDown) throw new DatabaseUnavailableError("The server was killed.");
    if (this.fault !== "none" && this.passing > 0) {
      this.passing -= 1;
      return this.#answer(commit);
    }
    if (this.fault === "before") throw new DatabaseUnavailableError("The database is out of reach.");
    if (this.fault === "late" && kind === "statement") {
      this.#late.push(commit);
      this.fault = "before";
      throw new CommitOutcomeUnknownError("The connection broke.");
    }
    const isLost = this.fault !== "none";
    const result = await this.#answer(commit);
    if (isLost) throw new CommitOutcomeUnknownError("The connection broke before the answer.");
    return result;
  }

  async #answer<Result>(commit: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    try {
      return await commit();
    } finally {
      this.#underWay -= 1;
    }
  }
}
