import { type Admission, UNLIMITED } from "../limits/index.ts";

/** The admission of one request: asked for once, and released once, also if it comes after the release. */
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

  /** Holds the admission: at once, or when it comes. */
  hold(asked: Admission | Promise<Admission>): void | Promise<void> {
    if (asked instanceof Promise) return asked.then((admission) => this.#take(admission));
    this.#take(asked);
  }

  /** Ends a request that used no model tokens; after its settlement without effect. */
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
