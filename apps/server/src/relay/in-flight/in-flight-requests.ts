import { setImmediate as nextTurn } from "node:timers/promises";
import type { Checkpoint } from "@one-api/ledger/ledger";
import type { RelayError } from "../errors/index.ts";

/** So many streams are counted in one turn of the event loop. */
const CHECKPOINTS_A_TURN = 10;

/** A request in flight, as the keeper of all of them sees it. */
export interface InFlightRequest {
  /** Where its answer goes. */
  readonly socket: unknown;
  /** Its caller sends nothing more: either it has left, or it waits for the answer alone. */
  halfClosed(): void;
  /** What its stream has delivered so far; undefined before anything was. */
  checkpoint(): Checkpoint | undefined;
  /** Closes it when the caller has taken nothing for too long. */
  endIfStalled(nowMs: number): void;
  /** Tells its caller that its stream goes on where nothing of it has left for long. Absent: it has no streams of events. */
  keepAlive?(nowMs: number): void;
  /** Who calls through which channel; undefined before that is known. */
  readonly parties: RequestParties | undefined;
  /** Ends it with this error: charged for what was delivered. */
  end(error: RelayError): void;
  /** The server stops: what has no end of its own ends as soon as nothing of an answer is under way. Absent: it ends by itself. */
  drain?(): void;
}

/** Whose leave a running request needs. */
export interface RequestParties {
  /** The key that was presented. */
  readonly key: string;
  readonly model: string;
  /** The channel that serves it; undefined where none does yet, or where an administrator named it. */
  readonly channelId: number | undefined;
}

/**
 * Every request in flight. They stand in an array: what passes through a Set as old as the process lives on until the next full garbage
 * collection, which made every small one ten times as long.
 */
export class InFlightRequests {
  readonly #relays: { relay: InFlightRequest; index: number }[] = [];
  #whenIdle: (() => void)[] = [];
  #endedCount = 0;
  #stage: "serving" | "stopping" | "draining" | "ended" = "serving";

  /** True once the server was asked to stop. Requests are served until it drains. */
  get isStopping(): boolean {
    return this.#stage !== "serving";
  }

  /** True once sessions and reads without a caller end early. An open connection may still bring its last call. */
  get isDraining(): boolean {
    return this.#stage === "draining" || this.#stage === "ended";
  }

  /** True once all requests were ended. New ones are refused. */
  get hasEnded(): boolean {
    return this.#stage === "ended";
  }

  /** Records that the server was asked to stop. */
  announceStop(): void {
    if (this.#stage === "serving") this.#stage = "stopping";
  }

  /** Ends sessions without an answer under way, and reads that only wait for a provider's report. Other requests go on. */
  drain(): void {
    if (this.#stage !== "ended") this.#stage = "draining";
    for (const relay of this.list()) relay.drain?.();
  }

  /** Ends everything with this error, each charged for what was delivered, and refuses new requests. */
  endAll(error: RelayError): void {
    this.#stage = "ended";
    for (const relay of this.list()) relay.end(error);
  }

  /** Adds a request and returns what removes it, once, when it is settled. */
  add(relay: InFlightRequest): () => void {
    const entry = { relay, index: this.#relays.length };
    this.#relays.push(entry);
    return () => {
      this.#endedCount += 1;
      const last = this.#relays.pop();
      if (last !== undefined && last !== entry) {
        last.index = entry.index;
        this.#relays[entry.index] = last;
      }
      if (this.#relays.length === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    };
  }

  /** Resolves when nothing is in flight: everything is settled. */
  async idle(): Promise<void> {
    while (this.#relays.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** How many requests are in flight. */
  get size(): number {
    return this.#relays.length;
  }

  /** How many requests have ended since the start. */
  get endedCount(): number {
    return this.#endedCount;
  }

  /** All of them, as they are now. */
  list(): InFlightRequest[] {
    return this.#relays.map(({ relay }) => relay);
  }

  /** What the open streams have delivered. Counting takes its time, so other requests have their turns between. */
  async checkpoints(): Promise<Checkpoint[]> {
    const checkpoints: Checkpoint[] = [];
    for (const [index, relay] of this.list().entries()) {
      const checkpoint = relay.checkpoint();
      if (checkpoint !== undefined) checkpoints.push(checkpoint);
      if (index % CHECKPOINTS_A_TURN === CHECKPOINTS_A_TURN - 1) await nextTurn();
    }
    return checkpoints;
  }

  /** Tells the requests of a connection that its caller sends nothing more. */
  halfClosed(socket: unknown): void {
    for (const { relay } of this.#relays) if (relay.socket === socket) relay.halfClosed();
  }

  /** Keeps the connections of silent streams open: proxies and clients close those on which nothing comes. */
  keepAlive(nowMs: number): void {
    for (const { relay } of this.#relays) relay.keepAlive?.(nowMs);
  }

  endStalled(nowMs: number): void {
    for (const relay of this.list()) relay.endIfStalled(nowMs);
  }
}
