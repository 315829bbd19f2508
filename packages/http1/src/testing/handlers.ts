import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setImmediate as nextTick } from "node:timers/promises";
import type { CallerRequest, CallerResponse } from "../server/caller-exchange.ts";
import type { RequestHandler } from "../server/plain-connection.ts";

/** Responds with the body of the request. */
export const echo: RequestHandler = (request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk.toString("latin1")));
  request.once("end", () => respondWith(response, body));
  request.resume();
};

export function respondWith(response: CallerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  response.end(body, "latin1");
}

const texts = new WeakMap<Socket, string>();

/** Returns all that arrived since the last call, once it ends with `end`. */
export async function received(socket: Socket, end: string): Promise<string> {
  if (!texts.has(socket)) {
    texts.set(socket, "");
    socket.on("data", (bytes) => texts.set(socket, texts.get(socket) + bytes.toString("latin1")));
  }
  let text = "";
  while (!text.endsWith(end)) {
    if (socket.destroyed) assert.fail(`the connection closed after ${text}`);
    await nextTick();
    text = texts.get(socket) ?? "";
  }
  texts.set(socket, "");
  return text;
}

interface Exchange {
  readonly request: CallerRequest;
  readonly response: CallerResponse;
}

/** A handler that leaves its requests to the test. `next` resolves with the next one. */
export function manualHandler(): { handler: RequestHandler; next: () => Promise<Exchange> } {
  const exchanges: Exchange[] = [];
  return {
    handler: (request, response) => void exchanges.push({ request, response }),
    async next() {
      let exchange = exchanges.shift();
      while (exchange === undefined) {
        await nextTick();
        exchange = exchanges.shift();
      }
      return exchange;
    },
  };
}
