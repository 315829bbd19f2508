import type { WebSocket } from "ws";

type Sides<T> = Readonly<Record<"caller" | "provider", T>>;

const PING_EVERY_MS = 25_000;
const MAX_UNANSWERED = 3;
/** Pings both sides, which keeps proxies from closing idle connections and detects dead sides. */
export class SessionPings {
  readonly #sides: Sides<WebSocket>;
  readonly #unanswered = { caller: 0, provider: 0 };
  #pingedMs: number;

  constructor(sides: Sides<WebSocket>, nowMs: number) {
    this.#sides = sides;
    this.#pingedMs = nowMs;
  }

  start(): void {
    this.#sides.caller.on("pong", () => (this.#unanswered.caller = 0));
    this.#sides.provider.on("pong", () => (this.#unanswered.provider = 0));
  }

  /** Pings both sides if due. Returns a side that has not answered three. */
  ping(nowMs: number): keyof Sides<WebSocket> | undefined {
    if (nowMs - this.#pingedMs < PING_EVERY_MS) return undefined;
    this.#pingedMs = nowMs;
    for (const name of ["caller", "provider"] as const) {
      if (this.#unanswered[name] >= MAX_UNANSWERED) return name;
      this.#unanswered[name] += 1;
      const socket = this.#sides[name];
      if (socket.readyState === socket.OPEN) socket.ping();
    }
    return undefined;
  }
}
