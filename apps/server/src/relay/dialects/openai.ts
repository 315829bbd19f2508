import { ASK_SHAPES, readAsk } from "../body/read-ask.ts";
import type { RelayError } from "../relay-error.ts";
import type { Dialect } from "./dialect.ts";

/** OpenAI's API as callers meet it: https://platform.openai.com/docs/api-reference */
export const openai: Dialect = {
  name: "openai",
  askPaths: ASK_SHAPES.map((shape) => ({ path: shape.path, readAsk: (body) => readAsk(shape, body) })),
  readCredential: ({ authorization = "" }) => authorization.replace(/^Bearer(?: +|$)/i, "").trim(),
  writeError,
  writeErrorEvent: (error, requestId) => `data: ${writeError(error, requestId)}\n\n`,
};

function writeError({ message, type, param, code }: RelayError, requestId: string): string {
  return JSON.stringify({ error: { message: `${message} (request id: ${requestId})`, type, param, code } });
}
