import { type Admission, UNLIMITED } from "../limits/index.ts";

/** Admission of one request: requested once and released once, even if it is granted after the release. */
export class HeldAdmission {
  #admission = UNLIMITED;
  #isReleased = false;
  #leaving: AbortController | undefined;

  get admission(): Admission {
    return this.#admission;
  }

  /** Returns a signal of the release. Created for requests that wait only. */
  readonly gone = (): AbortSignal => {
    this.#leaving ??= new AbortController();
    if (this.#isReleased) this.#leaving.abort();
    return this.#leaving.signal;
  };

  /** Stores the admission, at once or when it is granted. */
  hold(asked: Admission | Promise<Admission>): void | Promise<void> {
    if (asked instanceof Promise) return asked.then((admission) => this.#take(admission));
    this.#take(asked);
  }

  release(): void {
    this.#isReleased = true;
    this.#leaving?.abort();
    this.#admission.settle(0);
  }

  #take(admission: Admission): void {
    this.#admission = admission;
    if (this.#isReleased) admission.settle(0);
  }
}
