import { type IncomingMessage, type RequestListener, Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ConnectionTimes, DirectConnection, type DirectServing, type Refusal } from "./direct-connection.ts";

/** How the server is set. `connectionsCheckingInterval`: late requests are looked for this often, in ms. */
export type CallerServerOptions = ServerOptions & ConnectionTimes & { readonly connectionsCheckingInterval: number };

/** Time that an open connection has for one more call once the server closes, in ms: the call may be on its way. */
const LAST_CALL_MS = 500;

/** Who takes what comes in. */
export interface Takers {
  /** What answers a POST to the address where its request is read directly; undefined where it is Node's to bring. */
  readonly answererOf: DirectServing["answererOf"];
  /** True for connections that are refused. */
  readonly isShed: (socket: Socket) => boolean;
  /** True once the server was asked to stop: each answer closes its connection, and idle connections have time for one more call. */
  readonly isStopping: () => boolean;
  /** Called while the server closes, once it expects no further call. */
  readonly drain: () => void;
}

/** Node's HTTP server, before which a call in the plain form is read straight from its connection. */
export class CallerServer extends Server {
  readonly #times: ConnectionTimes;
  readonly #checkEveryMs: number;
  readonly #takenByNode = this.listeners("connection");
  readonly #direct = new Set<DirectConnection>();
  #isStopping: Takers["isStopping"] = () => false;
  #drain: Takers["drain"] = () => undefined;

  constructor(options: CallerServerOptions, listener: RequestListener) {
    super(options, listener);
    this.#times = options;
    this.#checkEveryMs = options.connectionsCheckingInterval;
    this.removeAllListeners("connection");
    this.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (this.#isEnding) response.shouldKeepAlive = false;
      response.once("finish", () => {
        this.#waitForRest(request);
        if (!this.listening) this.#closeLater(() => super.closeIdleConnections());
      });
    });
    this.on("timeout", closeUnlessRead);
    // A caller that has sent all and closed its side still gets its answer. Node knows the property, its types do not.
    Object.assign(this, { httpAllowHalfOpen: true });
  }

  /** Begins to take connections, each behind whatever listens to them already. */
  take({ answererOf, isShed, isStopping, drain }: Takers): void {
    this.#isStopping = isStopping;
    this.#drain = drain;
    const serving: DirectServing = {
      ...this.#times,
      answererOf,
      handOver: (connection, bytes) => this.#handOver(connection, bytes),
      refuse: (socket, code) => this.#refuse(socket, code),
      left: (connection) => this.#direct.delete(connection),
      isEnding: () => this.#isEnding,
      answered: (connection) => this.#closeIfClosing(connection),
    };
    this.on("connection", (socket) => {
      if (isShed(socket) || socket.destroyed) this.#giveToNode(socket);
      else this.#direct.add(new DirectConnection(socket, serving));
    });
    this.once("listening", () => {
      const checking = setInterval(() => this.#checkSoon(), this.#checkEveryMs).unref();
      this.once("close", () => clearInterval(checking));
    });
  }

  /** At once, or after LAST_CALL_MS where the stop was announced. Connections that have not brought a call yet always get that time. */
  override closeIdleConnections(): void {
    this.#closeLater(() => {
      super.closeIdleConnections();
      this.#closeThose((connection) => connection.isIdle);
      this.#drain();
    });
    setTimeout(() => this.#closeThose((connection) => connection.isUnused), LAST_CALL_MS).unref();
  }

  /** True when each answer closes its connection. */
  get #isEnding(): boolean {
    return this.#isStopping() || !this.listening;
  }

  #closeLater(close: () => void): void {
    if (this.#isStopping()) setTimeout(close, LAST_CALL_MS).unref();
    else close();
  }

  /** Closes a connection that is idle again. Its answer began before the stop and promised to keep it open. */
  #closeIfClosing(connection: DirectConnection): void {
    if (this.listening) return;
    this.#closeLater(() => {
      if (connection.isIdle) connection.socket.destroySoon();
    });
  }

  #closeThose(isMeant: (connection: DirectConnection) => boolean): void {
    for (const connection of this.#direct) if (isMeant(connection)) connection.socket.destroy();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const { socket } of this.#direct) socket.destroy();
  }

  /**
   * What lies in a connection's buffer by now is read before the connection is looked at: after a stall of the process a request may have waited
   * there that would be closed away.
   */
  #checkSoon(): void {
    const nowMs = performance.now();
    setImmediate(() => {
      for (const connection of this.#direct) connection.check(nowMs);
    });
  }

  /** Node would wait for the rest of a body as long as for one that is still to be answered. */
  #waitForRest(request: IncomingMessage): void {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), this.#times.unreadBodyTimeout).unref();
    request.once("close", () => clearTimeout(timer));
  }

  /** Nothing of the bytes is lost: Node reads them before what the connection brings next. */
  #handOver(connection: DirectConnection, bytes: Buffer): void {
    const { socket } = connection;
    this.#direct.delete(connection);
    connection.leave();
    if (socket.destroyed) return;
    socket.pause();
    socket.unshift(bytes);
    this.#giveToNode(socket);
    socket.resume();
  }

  #giveToNode(socket: Socket): void {
    for (const listener of this.#takenByNode) Reflect.apply(listener, this, [socket]);
  }

  /** As Node does with what is no request. */
  #refuse(socket: Socket, code: Refusal): void {
    const error = Object.assign(new Error(`The request is refused: ${code}.`), { code });
    if (!this.emit("clientError", error, socket)) socket.destroy(error);
  }
}

/** Closes a connection that Node has found idle for too long, unless something lay in its buffer. */
function closeUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}
