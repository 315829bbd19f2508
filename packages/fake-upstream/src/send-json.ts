import type { Behaviour } from "./behaviour.ts";
import type { Exchange } from "./exchange.ts";
import { midStreamError } from "./mid-stream-error.ts";
import { padJson } from "./pad-json.ts";
import type { JsonReply } from "./reply.ts";
import { sendEndlessBody } from "./send-endless-body.ts";
import { addedHeaders } from "./unsolicited-headers.ts";
import { writeSplit } from "./write-split.ts";

/** Sends one JSON document with status 200, with the faults of the behaviour. */
export async function sendJson(exchange: Exchange, reply: JsonReply, behaviour: Behaviour): Promise<void> {
  if (behaviour.kind === "endless") return sendEndlessBody(exchange);
  if (behaviour.kind === "error-in-stream") return sendWhole(exchange, JSON.stringify(midStreamError), behaviour);
  const text = faultyText(JSON.stringify(reply.body), behaviour);
  if (behaviour.kind === "stall" || behaviour.kind === "cut") return sendHalf(exchange, text, behaviour);
  if (behaviour.kind === "malformed" && behaviour.fault === "split-utf8") {
    writeHead(exchange, text, behaviour);
    await writeSplit(exchange, text);
    exchange.end();
  } else {
    sendWhole(exchange, text, behaviour);
  }
  exchange.countTokens(reply.tokens);
}

function writeHead(exchange: Exchange, text: string, behaviour: Behaviour): void {
  exchange.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...addedHeaders(behaviour),
  });
}

function sendWhole(exchange: Exchange, text: string, behaviour: Behaviour): void {
  writeHead(exchange, text, behaviour);
  exchange.end(text);
}

/** The declared length is the whole, so that the caller can tell that something is missing. */
async function sendHalf(
  exchange: Exchange,
  text: string,
  behaviour: Extract<Behaviour, { kind: "stall" | "cut" }>,
): Promise<void> {
  writeHead(exchange, text, behaviour);
  if (behaviour.afterChunks === 0) exchange.flushHead();
  else exchange.write(text.slice(0, text.length / 2));
  if (behaviour.kind === "cut") await exchange.cut(behaviour.reset ?? false);
}

function faultyText(json: string, behaviour: Behaviour): string {
  if (behaviour.kind !== "malformed") return json;
  if (behaviour.fault === "bad-json") return json.slice(0, json.length / 2);
  return behaviour.fault === "long-line" ? padJson(json, behaviour.lineMegabytes ?? 8) : json;
}
