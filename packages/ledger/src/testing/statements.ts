import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Storage } from "../storage/storage.ts";

/**
 * What happens to statements of a server.
 *
 * | fault  | the statement                    | the server receives |
 * |--------|----------------------------------|---------------------|
 * | away   | does not happen                  | an error            |
 * | lost   | happens                          | an error            |
 * | late   | happens when the test says so    | an error, at once   |
 * | held   | happens when the test says so    | the answer          |
 */
export type StatementFault = "away" | "lost" | "late" | "held";

type StatementName = Exclude<keyof Storage, "isExclusive" | "disconnect" | "close">;

/** The statements of one server: their names in the order in which they were sent, and the faults that the test gives them. */
export class Statements {
  readonly sent: StatementName[] = [];
  /** Most settlements that were under way at once. */
  mostSettlements = 0;
  /** Rows of each settlement. */
  readonly groups: number[] = [];
  readonly #faults = new Map<StatementName | "all", StatementFault>();
  readonly #refusals = new Map<StatementName, Error>();
  #waiting: (() => Promise<void>)[] = [];
  #settlements = 0;

  /** From now on all statements of the name have the fault. */
  break(name: StatementName | "all", fault: StatementFault): void {
    this.#faults.set(name, fault);
  }

  /** From now on the database refuses all statements of the name. */
  refuse(name: StatementName, error: Error): void {
    this.#refusals.set(name, error);
  }

  /** Ends all faults. Statements that are held or late stay so. */
  repair(): void {
    this.#faults.clear();
    this.#refusals.clear();
  }

  /** Sends what is held and late, in order; resolves once all of it has happened. */
  async deliver(): Promise<void> {
    for (const send of this.#waiting.splice(0)) await send();
  }

  /** How many statements are held or late. */
  get waiting(): number {
    return this.#waiting.length;
  }

  count(name: StatementName): number {
    return this.sent.filter((sent) => sent === name).length;
  }

  readonly around = (storage: Storage): Storage => {
    const wrap =
      <Parameters extends readonly unknown[], Answer>(
        name: StatementName,
        statement: (...parameters: Parameters) => Promise<Answer>,
      ) =>
      (...parameters: Parameters): Promise<Answer> =>
        this.#send(name, parameters, () => statement(...parameters));
    return {
      isExclusive: storage.isExclusive,
      disconnect: () => storage.disconnect(),
      close: () => storage.close(),
      register: wrap("register", (...all) => storage.register(...all)),
      settle: wrap("settle", (...all) => storage.settle(...all)),
      writeLogs: wrap("writeLogs", (...all) => storage.writeLogs(...all)),
      acquire: wrap("acquire", (...all) => storage.acquire(...all)),
      returnLeftovers: wrap("returnLeftovers", (...all) => storage.returnLeftovers(...all)),
      apply: wrap("apply", (...all) => storage.apply(...all)),
      skip: wrap("skip", (...all) => storage.skip(...all)),
      checkpoint: wrap("checkpoint", (...all) => storage.checkpoint(...all)),
      heartbeat: wrap("heartbeat", (...all) => storage.heartbeat(...all)),
      raise: wrap("raise", (...all) => storage.raise(...all)),
      look: wrap("look", (...all) => storage.look(...all)),
      readOwner: wrap("readOwner", (...all) => storage.readOwner(...all)),
      readShares: wrap("readShares", (...all) => storage.readShares(...all)),
      openWindow: wrap("openWindow", (...all) => storage.openWindow(...all)),
      readPools: wrap("readPools", (...all) => storage.readPools(...all)),
      markScarce: wrap("markScarce", (...all) => storage.markScarce(...all)),
      readScarce: wrap("readScarce", (...all) => storage.readScarce(...all)),
      readHolders: wrap("readHolders", (...all) => storage.readHolders(...all)),
      readOwners: wrap("readOwners", (...all) => storage.readOwners(...all)),
      declareDead: wrap("declareDead", (...all) => storage.declareDead(...all)),
      chargeCheckpoints: wrap("chargeCheckpoints", (...all) => storage.chargeCheckpoints(...all)),
      returnShares: wrap("returnShares", (...all) => storage.returnShares(...all)),
    };
  };

  async #send<Answer>(
    name: StatementName,
    parameters: readonly unknown[],
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    this.sent.push(name);
    if (name !== "settle") return this.#withFault(name, run);
    const [, rows] = parameters;
    if (Array.isArray(rows)) this.groups.push(rows.length);
    this.#settlements += 1;
    this.mostSettlements = Math.max(this.mostSettlements, this.#settlements);
    try {
      return await this.#withFault(name, run);
    } finally {
      this.#settlements -= 1;
    }
  }

  async #withFault<Answer>(name: StatementName, run: () => Promise<Answer>): Promise<Answer> {
    const refusal = this.#refusals.get(name);
    if (refusal !== undefined) throw refusal;
    const fault = this.#faults.get(name) ?? this.#faults.get("all");
    if (fault === "away") throw new DatabaseUnavailableError("The database is out of reach.");
    if (fault === "late") {
      this.#waiting.push(() => run().then(ignore, ignore));
      throw new CommitOutcomeUnknownError("The connection broke.");
    }
    if (fault === "held") {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      this.#waiting.push(() => run().then(resolve, reject));
      return promise;
    }
    const answer = await run();
    if (fault === "lost") throw new CommitOutcomeUnknownError("The connection broke before the answer.");
    return answer;
  }
}

function ignore(): void {}
