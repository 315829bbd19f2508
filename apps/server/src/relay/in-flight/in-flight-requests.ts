import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { RelayError } from "../errors/index.ts";

const CHECKPOINTS_A_TURN = 10;

export interface InFlightRequest {
  readonly socket: unknown;
  /** Its caller half-closed the connection: it has disconnected, or it only awaits the answer. */
  halfClosed(): void;
  checkpoint(): Checkpoint | undefined;
  /** Ends it if its caller has taken nothing for `callerStallMs`. */
  endIfStalled(nowMs: number): void;
  /** Sends a comment in a stream that has been silent for long. Absent where there are no event streams. */
  keepAlive?(nowMs: number): void;
  /** Undefined until the request is parsed, and once it is settled. */
  readonly parties: RequestParties | undefined;
  /** Ends it with an error and charges the delivered part. */
  end(error: RelayError): void;
  /** The server was declared dead: its reservations are void, and nothing is charged here. Absent where the settlement finds that out. */
  endFenced?(): void;
  /** The server drains: work without an end of its own ends once no answer is under way. Absent where that is not needed. */
  drain?(): void;
}

/** Key, model and channel whose revocation ends a request. */
export interface RequestParties {
  readonly key: string;
  readonly model: string;
  readonly channelId: number | undefined;
  readonly isStreaming: boolean;
}

/**
 * All requests in flight, in an array: entries of a long-lived Set survive until the next full garbage collection, which made minor ones ten times as
 * long.
 */
export class InFlightRequests {
  readonly #relays: { relay: InFlightRequest; index: number }[] = [];
  #whenIdle: (() => void)[] = [];
  #stage: "serving" | "stopping" | "draining" | "ended" = "serving";

  /** True once the server was asked to stop. Requests are still served. */
  get isStopping(): boolean {
    return this.#stage !== "serving";
  }

  /** True once sessions and lingering requests end early. An open connection may still bring its last request. */
  get isDraining(): boolean {
    return this.#stage === "draining" || this.#stage === "ended";
  }

  /** True once all requests were ended. New ones are refused. */
  get hasEnded(): boolean {
    return this.#stage === "ended";
  }

  announceStop(): void {
    if (this.#stage === "serving") this.#stage = "stopping";
  }

  /** Ends sessions without a running answer, and lingering requests. Others continue. */
  drain(): void {
    if (this.#stage !== "ended") this.#stage = "draining";
    for (const relay of this.list()) relay.drain?.();
  }

  /** Ends all requests with an error, charges their delivered parts, and refuses new requests. */
  endAll(error: RelayError): void {
    this.#stage = "ended";
    for (const relay of this.list()) relay.end(error);
  }

  endFenced(): void {
    for (const relay of this.list()) relay.endFenced?.();
  }

  /** Adds a request. Returns the function that removes it, to be called once, when it is done. */
  add(relay: InFlightRequest): () => void {
    const entry = { relay, index: this.#relays.length };
    this.#relays.push(entry);
    return () => {
      const last = this.#relays.pop();
      if (last !== undefined && last !== entry) {
        last.index = entry.index;
        this.#relays[entry.index] = last;
      }
      if (this.#relays.length === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    };
  }

  /** Resolves when no request is in flight, so everything is settled. */
  async idle(): Promise<void> {
    while (this.#relays.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  get size(): number {
    return this.#relays.length;
  }

  get streams(): number {
    return this.#relays.filter(({ relay }) => relay.parties?.isStreaming === true).length;
  }

  list(): InFlightRequest[] {
    return this.#relays.map(({ relay }) => relay);
  }

  /** Returns the checkpoints of open streams. Counting takes time, so other work runs in between. */
  async checkpoints(): Promise<Checkpoint[]> {
    const checkpoints: Checkpoint[] = [];
    for (const [index, relay] of this.list().entries()) {
      const checkpoint = relay.checkpoint();
      if (checkpoint !== undefined) checkpoints.push(checkpoint);
      if (index % CHECKPOINTS_A_TURN === CHECKPOINTS_A_TURN - 1) await nextTurn();
    }
    return checkpoints;
  }

  halfClosed(socket: unknown): void {
    for (const { relay } of this.#relays) if (relay.socket === socket) relay.halfClosed();
  }

  /** Keeps the connections of silent streams open, which proxies and clients would close. */
  keepAlive(nowMs: number): void {
    for (const { relay } of this.#relays) relay.keepAlive?.(nowMs);
  }

  endStalled(nowMs: number): void {
    for (const relay of this.list()) relay.endIfStalled(nowMs);
  }
}
