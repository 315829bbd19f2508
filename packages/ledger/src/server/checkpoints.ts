import type { CheckpointRow } from "../storage/storage.ts";
import type { Session } from "./session.ts";

/** Checkpoints in the database: those of running requests are stored, those of requests that ended are deleted by the same statements. */
export class Checkpoints {
  readonly #session: Session;
  #ended: string[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  end(requestId: string): void {
    this.#ended.push(requestId);
  }

  /** Stores what `rows` returns when the statement is sent, and deletes the checkpoints of these requests and of all that ended. */
  async store(rows: () => readonly CheckpointRow[], released: readonly string[] = []): Promise<void> {
    const ended = [...this.#ended.splice(0), ...released];
    try {
      await this.#session.onShares((owner) => this.#session.storage.checkpoint(owner, rows(), ended));
    } catch (error) {
      this.#ended.push(...ended);
      throw error;
    }
  }

  async flush(): Promise<void> {
    if (this.#ended.length > 0) await this.store(() => []);
  }

  forget(): void {
    this.#ended = [];
  }
}
