/** How long a settlement that was not certain at first can still be put right, in ms: far longer than the relay waits between its tries. */
const CORRECTABLE_MS = 60_000;

/**
 * Requests whose settlement had failed before it was committed: their callers may have been told that it failed just then, so one more
 * settlement of them still counts. All others are settled once and for all.
 */
export class Correctable<Hold> {
  readonly #holds = new Map<string, Hold>();

  /** Keeps the request for as long as somebody may come back to it. */
  keep(requestId: string, hold: Hold): void {
    this.#holds.set(requestId, hold);
    setTimeout(() => this.#holds.delete(requestId), CORRECTABLE_MS).unref();
  }

  /** The request, if it can be put right; it is forgotten by that. */
  take(requestId: string): Hold | undefined {
    const hold = this.#holds.get(requestId);
    if (hold !== undefined) this.#holds.delete(requestId);
    return hold;
  }
}
