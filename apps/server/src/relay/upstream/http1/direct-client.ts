import { type buildConnector, Dispatcher, errors } from "undici";
import { TimeSlices } from "../../../platform/work/time-slices.ts";
import { type ClientTurns, Connection, type ConnectionOwner } from "./connection.ts";
import { Exchange, toError } from "./exchange.ts";
import { type HeadReceiver, writeRequestHead } from "./request-head.ts";
import { withOwnBody } from "../own-body.ts";
import { Sweep } from "./sweep.ts";

/** Idle connections that are kept for one origin. */
const MOST_IDLE = 1_024;
/** Origins are those of channels; old ones must not pile up. */
const MOST_ORIGINS = 1_000;

/** So many connections that bring much are read at a turn of the event loop, 64 KiB of each. */
const FAST_READS_PER_TURN = 16;

/** Where requests go. */
interface Origin extends ConnectionOwner, HeadReceiver {
  readonly address: buildConnector.Options;
  /** Connections that may be used: the one that was used last comes last. */
  readonly idle: Connection[];
  /** Connections whose answer has ended in this turn of the event loop. */
  readonly fresh: Connection[];
}

/** An exchange on its way to a connection. */
interface Unsent {
  readonly origin: Origin;
  readonly exchange: Exchange;
  /** It has waited for a turn already. */
  readonly hasWaited: boolean;
}

/**
 * Calls providers over HTTP/1.1, straight on: the plain requests that are the relay's work, with a Buffer or nothing as body. All others go
 * through `others`.
 */
export class DirectClient extends Dispatcher {
  readonly #connect: buildConnector.connector;
  readonly #others: Dispatcher;
  readonly #origins = new Map<string, Origin>();
  readonly #connections = new Set<Connection>();
  readonly #connecting = new Set<Exchange>();
  readonly #turns: ClientTurns = { sweep: new Sweep(), fastReads: new TimeSlices(FAST_READS_PER_TURN) };
  #unsent: Unsent[] = [];
  /** Origins with fresh connections. */
  readonly #freshAt = new Set<Origin>();
  #isTurning = false;
  #underWay = 0;
  #state: "open" | "closing" | "destroyed" = "open";
  readonly #whenEmpty = Promise.withResolvers<void>();
  readonly #ended = (): void => {
    this.#underWay--;
    this.#closeIfEmpty();
  };

  constructor(connect: buildConnector.connector, others: Dispatcher) {
    super();
    this.#connect = connect;
    this.#others = others;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = typeof options.origin === "string" ? this.#originAt(options.origin) : undefined;
    if (origin === undefined) return this.#others.dispatch(withOwnBody(options), handler);
    let head: string | undefined;
    try {
      if (this.#state !== "open") throw this.#closedError();
      head = writeRequestHead(options, origin);
    } catch (error) {
      this.#begin(options, "", handler).fail(toError(error));
      return false;
    }
    if (head === undefined) return this.#others.dispatch(withOwnBody(options), handler);
    const exchange = this.#begin(options, head, handler);
    exchange.start();
    if (!exchange.isOver) this.#sendSoon({ origin, exchange, hasWaited: false });
    return true;
  }

  /** Waits for what is under way. */
  override async close(): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    this.#closeIfEmpty();
    await Promise.all([this.#whenEmpty.promise, this.#others.close()]);
    await this.destroy();
  }

  override async destroy(): Promise<void> {
    if (this.#state === "destroyed") return;
    this.#state = "destroyed";
    const error = new errors.ClientDestroyedError();
    for (const { exchange } of this.#unsent.splice(0)) exchange.fail(error);
    for (const exchange of this.#connecting) exchange.fail(error);
    for (const connection of this.#connections) connection.lose(error);
    await this.#others.destroy();
  }

  #begin(options: Dispatcher.DispatchOptions, head: string, handler: Dispatcher.DispatchHandler): Exchange {
    this.#underWay++;
    return new Exchange(options, head, handler, this.#ended);
  }

  #closeIfEmpty(): void {
    if (this.#state !== "open" && this.#underWay === 0) this.#whenEmpty.resolve();
  }

  #closedError(): Error {
    return this.#state === "closing" ? new errors.ClientClosedError() : new errors.ClientDestroyedError();
  }

  /** Undefined for what is no address of HTTP. */
  #originAt(address: string): Origin | undefined {
    const known = this.#origins.get(address);
    if (known !== undefined) return known;
    if (!/^https?:/.test(address) || !URL.canParse(address)) return undefined;
    const { protocol, host, hostname, port } = new URL(address);
    // Addresses of IPv6 stand in brackets in a URL alone.
    const origin = this.#makeOrigin(host, { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ""), port });
    if (this.#origins.size >= MOST_ORIGINS) this.#origins.clear();
    this.#origins.set(address, origin);
    return origin;
  }

  #makeOrigin(host: string, address: buildConnector.Options): Origin {
    const origin: Origin = {
      host,
      address,
      lastHead: undefined,
      heads: { head: undefined },
      idle: [],
      fresh: [],
      freed: (connection) => {
        origin.fresh.push(connection);
        this.#freshAt.add(origin);
        this.#turnSoon();
      },
      gone: (connection) => {
        this.#connections.delete(connection);
        const at = origin.idle.lastIndexOf(connection);
        if (at !== -1) origin.idle.splice(at, 1);
      },
    };
    return origin;
  }

  #sendSoon(unsent: Unsent): void {
    this.#unsent.push(unsent);
    this.#turnSoon();
  }

  /**
   * A connection is used again when the event loop has looked once whether something came on it: a server's goodbye, or bytes that nobody has
   * asked for and that would be taken for the next answer.
   */
  #turnSoon(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.#sendAll();
      for (const origin of this.#freshAt) keepFresh(origin);
      this.#freshAt.clear();
    });
  }

  #sendAll(): void {
    const all = this.#unsent;
    this.#unsent = [];
    for (const unsent of all) {
      const { origin, exchange, hasWaited } = unsent;
      if (exchange.isOver) continue;
      const connection = origin.idle.pop();
      if (connection !== undefined) connection.begin(exchange);
      else if (origin.fresh.length === 0 || hasWaited) this.#open(origin, exchange);
      else this.#sendSoon({ origin, exchange, hasWaited: true });
    }
  }

  #open(origin: Origin, exchange: Exchange): void {
    this.#connecting.add(exchange);
    this.#connect(origin.address, (error, socket) => {
      this.#connecting.delete(exchange);
      if (error !== null) return exchange.fail(error);
      if (this.#state === "destroyed") return void socket.destroy();
      const connection = new Connection(socket, origin, this.#turns);
      this.#connections.add(connection);
      // Who has left meanwhile leaves a connection that the next one can use.
      if (!exchange.isOver) connection.begin(exchange);
      else if (this.#state === "open") origin.idle.push(connection);
      else connection.destroy();
    });
  }
}

function keepFresh({ idle, fresh }: Origin): void {
  for (const connection of fresh.splice(0)) {
    if (connection.isGone) continue;
    if (idle.length < MOST_IDLE) idle.push(connection);
    else connection.destroy();
  }
}
