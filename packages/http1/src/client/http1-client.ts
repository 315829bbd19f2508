import { type buildConnector, Dispatcher, errors } from "undici";
import { Connection, type ConnectionContext, type ConnectionOwner, type ScheduleRead } from "./connection.ts";
import { Exchange, toError } from "./exchange.ts";
import { withOwnBody } from "./pooled-body.ts";
import { type HeadReceiver, writeRequestHead } from "./request-head.ts";
import { TimeoutSweep } from "./timeout-sweep.ts";

const MAX_IDLE_PER_ORIGIN = 1_024;
/** Known origins; those of edited channels must not pile up. */
const MAX_ORIGINS = 1_000;

export interface Http1ClientOptions {
  readonly connect: buildConnector.connector;
  readonly fallback: Dispatcher;
  /** False for a server address that a host name no longer has: connections to it are not reused. */
  readonly isCurrent: (hostname: string, address: string) => boolean;
  /** Shares reading among fast connections: each reads 64 KiB, then waits for its call. */
  readonly scheduleRead: ScheduleRead;
}

interface Origin extends ConnectionOwner, HeadReceiver {
  readonly address: buildConnector.Options;
  /** Reusable connections; the last used one is last. */
  readonly idle: Connection[];
  /** Connections whose response has ended in this tick of the event loop. */
  readonly fresh: Connection[];
}

interface Queued {
  readonly origin: Origin;
  readonly exchange: Exchange;
  /** It has waited for one tick already. */
  readonly hasWaited: boolean;
}

/** Sends plain requests over HTTP/1.1 connections of its own. All others are dispatched by `fallback`. */
export class Http1Client extends Dispatcher {
  readonly #connect: buildConnector.connector;
  readonly #fallback: Dispatcher;
  readonly #isCurrent: Http1ClientOptions["isCurrent"];
  readonly #context: ConnectionContext;
  readonly #origins = new Map<string, Origin>();
  readonly #connections = new Set<Connection>();
  readonly #connecting = new Set<Exchange>();
  #queue: Queued[] = [];
  readonly #freshOrigins = new Set<Origin>();
  #isTickScheduled = false;
  #running = 0;
  #state: "open" | "closing" | "destroyed" = "open";
  readonly #whenIdle = Promise.withResolvers<void>();
  readonly #ended = (): void => {
    this.#running--;
    this.#resolveIfIdle();
  };

  constructor({ connect, fallback, isCurrent, scheduleRead }: Http1ClientOptions) {
    super();
    this.#connect = connect;
    this.#fallback = fallback;
    this.#isCurrent = isCurrent;
    this.#context = { sweep: new TimeoutSweep(), scheduleRead };
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = typeof options.origin === "string" ? this.#originAt(options.origin) : undefined;
    if (origin === undefined) return this.#fallback.dispatch(withOwnBody(options), handler);
    let head: string | undefined;
    try {
      if (this.#state !== "open") throw this.#closedError();
      head = writeRequestHead(options, origin);
    } catch (error) {
      this.#begin(options, "", handler).fail(toError(error));
      return false;
    }
    if (head === undefined) return this.#fallback.dispatch(withOwnBody(options), handler);
    const exchange = this.#begin(options, head, handler);
    exchange.start();
    if (!exchange.isOver) this.#enqueue({ origin, exchange, hasWaited: false });
    return true;
  }

  override async close(): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    this.#resolveIfIdle();
    await Promise.all([this.#whenIdle.promise, this.#fallback.close()]);
    await this.destroy();
  }

  override async destroy(): Promise<void> {
    if (this.#state === "destroyed") return;
    this.#state = "destroyed";
    const error = new errors.ClientDestroyedError();
    for (const { exchange } of this.#queue.splice(0)) exchange.fail(error);
    for (const exchange of this.#connecting) exchange.fail(error);
    for (const connection of this.#connections) connection.fail(error);
    await this.#fallback.destroy();
  }

  #begin(options: Dispatcher.DispatchOptions, head: string, handler: Dispatcher.DispatchHandler): Exchange {
    this.#running++;
    return new Exchange(options, head, handler, this.#ended);
  }

  #resolveIfIdle(): void {
    if (this.#state !== "open" && this.#running === 0) this.#whenIdle.resolve();
  }

  #closedError(): Error {
    return this.#state === "closing" ? new errors.ClientClosedError() : new errors.ClientDestroyedError();
  }

  #originAt(address: string): Origin | undefined {
    const known = this.#origins.get(address);
    if (known !== undefined) return known;
    if (!/^https?:/.test(address) || !URL.canParse(address)) return undefined;
    const { protocol, host, hostname, port } = new URL(address);
    // Only URLs write IPv6 addresses in brackets.
    const origin = this.#createOrigin(host, { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ""), port });
    if (this.#origins.size >= MAX_ORIGINS) this.#origins.clear();
    this.#origins.set(address, origin);
    return origin;
  }

  #createOrigin(host: string, address: buildConnector.Options): Origin {
    const origin: Origin = {
      host,
      address,
      lastHead: undefined,
      heads: { head: undefined },
      idle: [],
      fresh: [],
      freed: (connection) => {
        origin.fresh.push(connection);
        this.#freshOrigins.add(origin);
        this.#scheduleTick();
      },
      closed: (connection) => {
        this.#connections.delete(connection);
        const at = origin.idle.lastIndexOf(connection);
        if (at !== -1) origin.idle.splice(at, 1);
      },
    };
    return origin;
  }

  #enqueue(queued: Queued): void {
    this.#queue.push(queued);
    this.#scheduleTick();
  }

  /** A connection is reused after one tick of the event loop, in which its end or surplus bytes are read. */
  #scheduleTick(): void {
    if (this.#isTickScheduled) return;
    this.#isTickScheduled = true;
    setImmediate(() => {
      this.#isTickScheduled = false;
      this.#sendQueued();
      for (const origin of this.#freshOrigins) moveFreshToIdle(origin);
      this.#freshOrigins.clear();
    });
  }

  #sendQueued(): void {
    const all = this.#queue;
    this.#queue = [];
    for (const queued of all) {
      const { origin, exchange, hasWaited } = queued;
      if (exchange.isOver) continue;
      const connection = this.#takeIdle(origin);
      if (connection !== undefined) connection.begin(exchange);
      else if (origin.fresh.length === 0 || hasWaited) this.#open(origin, exchange);
      else this.#enqueue({ origin, exchange, hasWaited: true });
    }
  }

  /** Returns an idle connection to a current address of the host; closes others. */
  #takeIdle({ idle, address: { hostname } }: Origin): Connection | undefined {
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      if (this.#isCurrent(hostname, connection.remoteAddress)) return connection;
      connection.destroy();
    }
    return undefined;
  }

  #open(origin: Origin, exchange: Exchange): void {
    this.#connecting.add(exchange);
    this.#connect(origin.address, (error, socket) => {
      this.#connecting.delete(exchange);
      if (error !== null) return exchange.fail(error);
      if (this.#state === "destroyed") return void socket.destroy();
      const connection = new Connection(socket, origin, this.#context);
      this.#connections.add(connection);
      // The connection of an aborted exchange serves the next one.
      if (!exchange.isOver) connection.begin(exchange);
      else if (this.#state === "open") origin.idle.push(connection);
      else connection.destroy();
    });
  }
}

function moveFreshToIdle({ idle, fresh }: Origin): void {
  for (const connection of fresh.splice(0)) {
    if (connection.isClosed) continue;
    if (idle.length < MAX_IDLE_PER_ORIGIN) idle.push(connection);
    else connection.destroy();
  }
}
