import { type IncomingMessage, type RequestListener, Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";
import { type ConnectionTimes, DirectConnection, type DirectServing, type Refusal } from "./direct-connection.ts";

/** How the server is set. `connectionsCheckingInterval`: late requests are looked for this often, in ms. */
export type CallerServerOptions = ServerOptions & ConnectionTimes & { readonly connectionsCheckingInterval: number };

/** At the stop the first call of a connection may still come for so long, in ms. */
const FIRST_CALL_MS = 500;

/** Who takes what comes in. */
export interface Takers {
  /** What answers a POST to the address where its request is read directly; undefined where it is Node's to bring. */
  readonly answererOf: DirectServing["answererOf"];
  /** True for connections that are refused. */
  readonly isShed: (socket: Socket) => boolean;
}

/** Node's HTTP server, before which a call in the plain form is read straight from its connection. */
export class CallerServer extends Server {
  readonly #times: ConnectionTimes;
  readonly #checkEveryMs: number;
  readonly #takenByNode = this.listeners("connection");
  readonly #direct = new Set<DirectConnection>();

  constructor(options: CallerServerOptions, listener: RequestListener) {
    super(options, listener);
    this.#times = options;
    this.#checkEveryMs = options.connectionsCheckingInterval;
    this.removeAllListeners("connection");
    this.on("request", (request, response) => response.once("finish", () => this.#waitForRest(request)));
    this.on("timeout", closeUnlessRead);
    // A caller that has sent all and closed its side still gets its answer. Node knows the property, its types do not.
    Object.assign(this, { httpAllowHalfOpen: true });
  }

  /** Begins to take connections, each behind whatever listens to them already. */
  take({ answererOf, isShed }: Takers): void {
    const serving: DirectServing = {
      ...this.#times,
      answererOf,
      handOver: (connection, bytes) => this.#handOver(connection, bytes),
      refuse: (socket, code) => this.#refuse(socket, code),
      left: (connection) => this.#direct.delete(connection),
      isClosing: () => !this.listening,
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

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    this.#closeThose((connection) => connection.isIdle);
    // The first call of a connection that was just opened may be on its way.
    setTimeout(() => this.#closeThose((connection) => connection.isUnused), FIRST_CALL_MS).unref();
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
