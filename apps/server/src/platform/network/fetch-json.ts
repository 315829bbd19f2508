import { Agent, request } from "undici";
import { checkedConnector } from "./checked-connector.ts";

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form if it is a URLSearchParams. */
  readonly body?: Readonly<Record<string, string>> | URLSearchParams;
  readonly mostBytes?: number;
  readonly timeoutMs?: number;
}

/** No keep-alive: these calls are rare, and a stopping server must not wait for a connection. */
const client = new Agent({ connect: checkedConnector(TIMEOUT_MS), keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });

/**
 * Returns the JSON answer of any HTTP status. Throws on a redirect, because credentials must not go
 * elsewhere, on a timeout, on a long answer, and for link-local addresses.
 */
export async function fetchJson(address: string, asked: JsonRequest): Promise<unknown> {
  const { method, headers = {}, body, mostBytes = MAX_ANSWER_BYTES, timeoutMs = TIMEOUT_MS } = asked;
  const isForm = body instanceof URLSearchParams;
  const answer = await request(address, {
    dispatcher: client,
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: "application/json",
      "user-agent": "one-api",
      ...(body === undefined
        ? {}
        : { "content-type": isForm ? "application/x-www-form-urlencoded;charset=UTF-8" : "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
  });
  const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
  if (isRedirect) {
    await answer.body.dump();
    throw new Error("The server leads elsewhere.");
  }
  return JSON.parse(await readText(answer.body, mostBytes));
}

async function readText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
