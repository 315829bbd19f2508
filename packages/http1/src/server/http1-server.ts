import { type IncomingMessage, type RequestListener, Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  type ConnectionServer,
  type ConnectionTimeouts,
  PlainConnection,
  type RefusalCode,
  type RequestHandler,
} from "./plain-connection.ts";

/** `connectionsCheckingInterval`: interval of the checks for timeouts, in ms. */
export type Http1ServerOptions = ServerOptions & ConnectionTimeouts & { readonly connectionsCheckingInterval: number };

/** Time for one more request on an open connection while the server closes, in ms: the request may be on its way. */
const LAST_REQUEST_MS = 500;

export interface ServerHooks {
  /** Returns the handler of plain POSTs to a URL; undefined leaves them to Node and the request listener. */
  readonly handlerOf: (url: string) => RequestHandler | undefined;
  /** True for connections that were refused already. */
  readonly isShed: (socket: Socket) => boolean;
  /** True once a stop is announced: responses close their connection, and idle connections have time for one more request. */
  readonly isStopping: () => boolean;
  /** Called while the server closes, once no further request is expected. */
  readonly drain: () => void;
}

/** Node's HTTP server, except that plain requests are read from the socket. */
export class Http1Server extends Server {
  readonly #timeouts: ConnectionTimeouts;
  readonly #checkIntervalMs: number;
  readonly #nodeListeners = this.listeners("connection");
  readonly #connections = new Set<PlainConnection>();
  #isStopping: ServerHooks["isStopping"] = () => false;
  #drain: ServerHooks["drain"] = () => undefined;

  constructor(options: Http1ServerOptions, listener: RequestListener) {
    super(options, listener);
    this.#timeouts = options;
    this.#checkIntervalMs = options.connectionsCheckingInterval;
    this.removeAllListeners("connection");
    this.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (this.#isEnding) response.shouldKeepAlive = false;
      response.once("finish", () => {
        this.#limitRestOfBody(request);
        if (!this.listening) this.#closeLater(() => super.closeIdleConnections());
      });
    });
    this.on("timeout", closeUnlessRead);
    // A caller that ends its side after the request still gets the response. Node has the property, its types do not.
    Object.assign(this, { httpAllowHalfOpen: true });
  }

  /** Starts to serve connections, after all listeners of "connection" that were added before. */
  serve({ handlerOf, isShed, isStopping, drain }: ServerHooks): void {
    this.#isStopping = isStopping;
    this.#drain = drain;
    const server: ConnectionServer = {
      ...this.#timeouts,
      handlerOf,
      handOver: (connection, bytes) => this.#handOver(connection, bytes),
      refuse: (socket, code) => this.#refuse(socket, code),
      closed: (connection) => this.#connections.delete(connection),
      isEnding: () => this.#isEnding,
      becameIdle: (connection) => this.#closeIfClosing(connection),
    };
    this.on("connection", (socket) => {
      if (isShed(socket) || socket.destroyed) this.#giveToNode(socket);
      else this.#connections.add(new PlainConnection(socket, server));
    });
    this.once("listening", () => {
      const timer = setInterval(() => this.#checkSoon(), this.#checkIntervalMs).unref();
      this.once("close", () => clearInterval(timer));
    });
  }

  /** Closes idle connections: at once, or after LAST_REQUEST_MS if the stop was announced. Unused connections always have that time. */
  override closeIdleConnections(): void {
    this.#closeLater(() => {
      super.closeIdleConnections();
      this.#destroyConnections((connection) => connection.isIdle);
      this.#drain();
    });
    setTimeout(() => this.#destroyConnections((connection) => connection.isUnused), LAST_REQUEST_MS).unref();
  }

  get #isEnding(): boolean {
    return this.#isStopping() || !this.listening;
  }

  #closeLater(close: () => void): void {
    if (this.#isStopping()) setTimeout(close, LAST_REQUEST_MS).unref();
    else close();
  }

  /** Closes a connection whose response was begun before the stop, and announced that it stays open. */
  #closeIfClosing(connection: PlainConnection): void {
    if (this.listening) return;
    this.#closeLater(() => {
      if (connection.isIdle) connection.socket.destroySoon();
    });
  }

  #destroyConnections(isChosen: (connection: PlainConnection) => boolean): void {
    for (const connection of this.#connections) if (isChosen(connection)) connection.socket.destroy();
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const { socket } of this.#connections) socket.destroy();
  }

  /** Reads the buffered bytes first: a request that waited during a stall of the process must not be closed as a timeout. */
  #checkSoon(): void {
    const nowMs = performance.now();
    setImmediate(() => {
      for (const connection of this.#connections) connection.check(nowMs);
    });
  }

  /** Node would allow the rest of an answered body the time of a body that is still to be answered. */
  #limitRestOfBody(request: IncomingMessage): void {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), this.#timeouts.unreadBodyTimeout).unref();
    request.once("close", () => clearTimeout(timer));
  }

  /** Node reads the bytes before all later ones. */
  #handOver(connection: PlainConnection, bytes: Buffer): void {
    const { socket } = connection;
    this.#connections.delete(connection);
    connection.detach();
    if (socket.destroyed) return;
    socket.pause();
    socket.unshift(bytes);
    this.#giveToNode(socket);
    socket.resume();
  }

  #giveToNode(socket: Socket): void {
    for (const listener of this.#nodeListeners) Reflect.apply(listener, this, [socket]);
  }

  #refuse(socket: Socket, code: RefusalCode): void {
    const error = Object.assign(new Error(`The request is refused: ${code}.`), { code });
    if (!this.emit("clientError", error, socket)) socket.destroy(error);
  }
}

/** Closes a connection that Node found idle for too long, unless bytes waited in its buffer. */
function closeUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}
