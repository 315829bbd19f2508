import { EventEmitter } from "node:events";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";

/** A request of which a test sends the body. */
class FakeRequest extends EventEmitter implements CallerRequest {
  readonly method = "POST";
  readonly url = "/v1/chat/completions";
  readonly httpVersion = "1.1";
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[] = [];
  readonly socket = new Socket();
  complete = false;
  /** True once somebody reads the body. */
  isRead = false;

  constructor(headers: IncomingHttpHeaders) {
    super();
    this.headers = headers;
  }

  resume(): void {
    this.isRead = true;
  }

  pause(): void {}
}

/** An answer that records what leaves, and takes pieces as a test says. */
class FakeResponse extends EventEmitter implements CallerResponse {
  /** Everything that was called, in order. */
  readonly calls: string[] = [];
  status = 0;
  headers: OutgoingHttpHeaders = {};
  /** The body so far. */
  text = "";
  isSlow = false;
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableLength = 0;

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.calls.push(`head ${status}`);
    this.status = status;
    this.headers = headers;
    this.headersSent = true;
  }

  write(piece: Buffer | string): boolean {
    this.calls.push("write");
    this.text += piece.toString();
    if (this.isSlow) this.writableLength += piece.length;
    return !this.isSlow;
  }

  end(piece: Buffer | string = ""): void {
    this.calls.push("end");
    this.text += piece.toString();
    this.writableEnded = true;
    if (!this.isSlow) process.nextTick(() => this.emit("close"));
  }

  writeProcessing(): void {
    this.calls.push("interim");
  }

  destroy(): void {
    if (this.destroyed) return;
    this.calls.push("destroy");
    this.destroyed = true;
    process.nextTick(() => this.emit("close"));
  }
}

/** A caller without a connection. */
export class FakeCaller {
  readonly request: FakeRequest;
  readonly response = new FakeResponse();

  constructor(headers: IncomingHttpHeaders) {
    this.request = new FakeRequest(headers);
  }

  /** The whole body arrives. */
  sends(body: unknown): void {
    this.sendsPiece(JSON.stringify(body));
    this.request.complete = true;
    this.request.emit("end");
  }

  sendsPiece(piece: string): void {
    this.request.emit("data", Buffer.from(piece));
  }

  /** The connection takes everything that waits. */
  takesAll(): void {
    this.response.isSlow = false;
    this.response.writableLength = 0;
    this.response.emit("drain");
    if (this.response.writableEnded) this.response.emit("close");
  }

  /** The connection closes before the end of the answer. */
  leaves(): void {
    this.response.destroyed = true;
    this.response.emit("close");
  }
}
