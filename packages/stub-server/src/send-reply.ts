import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import { chunkDelayMs, type Exchange } from "./exchange.ts";
import type { BytesReply, JsonReply, Reply } from "@one-api/providers/stub-kit/call";
import { sendStream } from "./send-stream.ts";
import type { OutgoingHttpHeaders } from "node:http";
import { midStreamError, type WriteErrorBody } from "@one-api/providers/stub-kit/refusal";
import { addedHeaders, padJson, writeSplit } from "./faults.ts";

export async function sendReply(
  exchange: Exchange,
  reply: Reply,
  behaviour: Behaviour,
  writeErrorBody: WriteErrorBody,
): Promise<void> {
  const errorJson = JSON.stringify(writeErrorBody(500, midStreamError));
  if (reply.kind === "json" && reply.isFaultless === true) return sendError(exchange, reply.status ?? 200, reply.body);
  const fault = behaviour.kind === "malformed" ? behaviour.fault : undefined;
  if (fault === "html-body") return sendPage(exchange, 200, "Please sign in");
  if (fault === "empty-body") {
    exchange.writeHead(200, { "content-length": 0 });
    return exchange.end();
  }
  if (reply.kind === "bytes") return sendBytes(exchange, reply, behaviour);
  if (reply.kind === "json") return sendJson(exchange, reply, behaviour, errorJson);
  return fault === "json-for-stream"
    ? sendJson(exchange, reply.toJson(), behaviour, errorJson)
    : sendStream(exchange, reply, behaviour, errorJson);
}

/** Sends bytes piece by piece; a cut follows the number of pieces in the behaviour. */
async function sendBytes(exchange: Exchange, { contentType, pieces }: BytesReply, behaviour: Behaviour): Promise<void> {
  exchange.writeHead(200, { "content-type": contentType });
  const isCut = behaviour.kind === "cut" || behaviour.kind === "stall";
  for (const piece of isCut ? pieces.slice(0, behaviour.afterChunks ?? 1) : pieces) {
    if (!exchange.write(piece)) await exchange.drained();
    await exchange.pause(chunkDelayMs(behaviour));
  }
  if (behaviour.kind === "cut") await exchange.cut(behaviour.reset ?? false);
  else if (behaviour.kind !== "stall") exchange.end();
}

export function sendError(exchange: Exchange, status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
  const text = JSON.stringify(body);
  exchange.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  exchange.end(text);
}

/** Sends a JSON document with status 200 and the behaviour's faults. */
async function sendJson(exchange: Exchange, reply: JsonReply, behaviour: Behaviour, errorJson: string): Promise<void> {
  if (behaviour.kind === "endless") return sendEndlessBody(exchange);
  if (behaviour.kind === "error-in-stream") return sendWhole(exchange, errorJson, behaviour);
  const text = faultyText(JSON.stringify(reply.body), behaviour);
  if (behaviour.kind === "stall" || behaviour.kind === "cut") return sendHalf(exchange, text, behaviour);
  if (behaviour.kind === "malformed" && behaviour.fault === "split-utf8") {
    writeHead(exchange, text, behaviour);
    await writeSplit(exchange, text);
    exchange.end();
  } else {
    sendWhole(exchange, text, behaviour, reply.headers);
  }
  exchange.countTokens(reply.tokens);
}

function writeHead(exchange: Exchange, text: string, behaviour: Behaviour, headers: JsonReply["headers"] = {}): void {
  exchange.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
    ...addedHeaders(behaviour),
  });
}

function sendWhole(exchange: Exchange, text: string, behaviour: Behaviour, headers?: JsonReply["headers"]): void {
  writeHead(exchange, text, behaviour, headers);
  exchange.end(text);
}

/** The declared length is that of the whole document, so that clients can detect the missing half. */
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

/** Sends an HTML page, as a proxy between client and provider does. */
export function sendPage(exchange: Exchange, status: number, title: string): void {
  const page = `<!doctype html>\r\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\r\n`;
  exchange.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(page),
  });
  exchange.end(page);
}

const filler = "x".repeat(16_384);

/** Sends the beginning of an endless JSON document, as fast as the client reads. */
async function sendEndlessBody(exchange: Exchange): Promise<void> {
  exchange.writeHead(200, { "content-type": "application/json" });
  exchange.write('{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"');
  while (!exchange.isClosed) {
    if (!exchange.write(filler)) await exchange.drained();
  }
}
