import type { WebSocket } from "ws";

/** The two sides of a session. */
type Sides<T> = Readonly<Record<"caller" | "provider", T>>;

/** Between two pings of each side, in ms, and how long one may have no answer. */
const PING_EVERY_MS = 25_000;
const MOST_SILENT_PINGS = 3;
/** Pings of both sides of a session, which keep what lies between awake and tell who is gone without a word. */
export class SessionPings {
  readonly #sides: Sides<WebSocket>;
  /** Pings since the last answer to one. */
  readonly #unanswered = { caller: 0, provider: 0 };
  #pingedMs: number;

  constructor(sides: Sides<WebSocket>, nowMs: number) {
    this.#sides = sides;
    this.#pingedMs = nowMs;
  }

  /** Hears the answers. */
  start(): void {
    this.#sides.caller.on("pong", () => (this.#unanswered.caller = 0));
    this.#sides.provider.on("pong", () => (this.#unanswered.provider = 0));
  }

  /** Pings both sides where it is time to; returns the one that has answered none for too long. */
  ping(nowMs: number): keyof Sides<WebSocket> | undefined {
    if (nowMs - this.#pingedMs < PING_EVERY_MS) return undefined;
    this.#pingedMs = nowMs;
    for (const name of ["caller", "provider"] as const) {
      if (this.#unanswered[name] >= MOST_SILENT_PINGS) return name;
      this.#unanswered[name] += 1;
      const socket = this.#sides[name];
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    return undefined;
  }
}
