import { Agent, request } from "undici";
import { checkedConnector } from "./checked-connector.ts";

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a URLSearchParams is sent as a form. */
  readonly body?: Readonly<Record<string, string>> | URLSearchParams;
  /** For answers that are larger or later than those of other calls. */
  readonly mostBytes?: number;
  readonly timeoutMs?: number;
}

/** Keeps no connection: these calls are rare, and a server that stops must not wait for one. */
const client = new Agent({ connect: checkedConnector(TIMEOUT_MS), keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });

/**
 * Asks another server and returns its answer, whatever its HTTP status. Calls no link-local address, whatever the name leads to. Throws
 * on a redirect, since what is sent must go nowhere else, when the whole answer is not there in 5 s, when it is longer than 256 KiB
 * (or than what the request names), or when it is not JSON.
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
