import { cohereRerank } from "@one-api/providers/protocols/cohere/cohere";
import { readRankingRequest } from "../media/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { CallPath, Dialect } from "./dialect.ts";
import { openai } from "./openai.ts";
import { credentialReader } from "./read-credential.ts";

const RERANK: CallPath = { parseRequest: (body) => readRankingRequest(cohereRerank, body) };

/** Reranking of Cohere's API, version 2. Source: https://docs.cohere.com/reference/rerank */
export const cohere: Dialect = {
  ...openai,
  name: "cohere",
  callAt: (path) => (path === "/v2/rerank" ? RERANK : undefined),
  countAt: () => undefined,
  isSpoken: (_headers, path) => path.startsWith("/v2/"),
  readCredential: credentialReader("authorization"),
  writeError,
};

/** Source: https://docs.cohere.com/reference/errors */
function writeError({ message, param }: RelayError, requestId: string): string {
  const text = `${param === null ? "" : `${param}: `}${message} (request id: ${requestId})`;
  return JSON.stringify({ id: requestId, message: text });
}
