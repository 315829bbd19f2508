/** A deadline that does not count the time in which it is paused. */
export class Deadline {
  readonly #expire: () => void;
  readonly #durationMs: number;
  readonly #beganMs = performance.now();
  #pausedMs = 0;
  #pausedSinceMs: number | undefined;
  #timer: NodeJS.Timeout;

  constructor(durationMs: number, expire: () => void) {
    this.#durationMs = durationMs;
    this.#expire = expire;
    this.#timer = this.#wait(durationMs);
  }

  pause(): void {
    this.#pausedSinceMs ??= performance.now();
  }

  resume(): void {
    if (this.#pausedSinceMs === undefined) return;
    this.#pausedMs += performance.now() - this.#pausedSinceMs;
    this.#pausedSinceMs = undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(durationMs: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), Math.ceil(durationMs));
  }

  #look(): void {
    const now = performance.now();
    const pausedMs = this.#pausedMs + (this.#pausedSinceMs === undefined ? 0 : now - this.#pausedSinceMs);
    const leftMs = this.#durationMs - (now - this.#beganMs - pausedMs);
    if (leftMs <= 0) this.#expire();
    else this.#timer = this.#wait(leftMs);
  }
}
