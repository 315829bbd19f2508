import type { OutgoingHttpHeaders } from "node:http";
import type { Exchange } from "./exchange.ts";
import type { OpenAiErrorBody } from "./openai-error.ts";

/** Sends an error status with a body in OpenAI's shape. */
export function sendError(
  exchange: Exchange,
  status: number,
  body: OpenAiErrorBody,
  headers: OutgoingHttpHeaders = {},
): void {
  const text = JSON.stringify(body);
  exchange.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  exchange.end(text);
}
