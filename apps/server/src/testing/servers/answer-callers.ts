import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallerRequest, CallerResponse } from "../../platform/requests/caller-exchange.ts";
import type { Answer } from "./start-caller-server.ts";

/** Answers at once with the body that came. */
export const echo: Answer = (request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece.toString("latin1")));
  request.once("end", () => answerWith(response, body));
  request.resume();
};

export function answerWith(response: CallerResponse, body: string): void {
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  response.end(body, "latin1");
}

const texts = new WeakMap<Socket, string>();

/** All that came since the last time, once it ends so. */
export async function heard(socket: Socket, end: string): Promise<string> {
  if (!texts.has(socket)) {
    texts.set(socket, "");
    socket.on("data", (bytes) => texts.set(socket, texts.get(socket) + bytes.toString("latin1")));
  }
  let text = "";
  while (!text.endsWith(end)) {
    if (socket.destroyed) assert.fail(`the connection closed after ${text}`);
    await nextTurn();
    text = texts.get(socket) ?? "";
  }
  texts.set(socket, "");
  return text;
}

/** An answerer that gives its requests to whoever waits for the next one. */
export function byHand(): {
  answer: Answer;
  next: () => Promise<{ request: CallerRequest; response: CallerResponse }>;
} {
  const came: { request: CallerRequest; response: CallerResponse }[] = [];
  return {
    answer: (request, response) => void came.push({ request, response }),
    async next() {
      let exchange = came.shift();
      while (exchange === undefined) {
        await nextTurn();
        exchange = came.shift();
      }
      return exchange;
    },
  };
}
