import { Agent, type Dispatcher, request } from "undici";
import { checkedConnector, ForbiddenAddressError } from "./checked-connector.ts";
import { isMetadataHost } from "./metadata-addresses.ts";
import { createProxyClient } from "./proxy-client.ts";

const TIMEOUT_MS = 5_000;

interface TextRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly mostBytes: number;
  readonly timeoutMs?: number;
  readonly proxy?: string;
}

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** No keep-alive: these calls are rare, and a stopping server must not wait for a connection. */
const client = new Agent({ connect: checkedConnector(TIMEOUT_MS), keepAliveTimeout: 1, keepAliveMaxTimeout: 1 });

/**
 * Returns the answer of any HTTP status. Throws on a redirect, because credentials must not go elsewhere, on a
 * timeout, and for link-local addresses.
 */
export async function fetchText(address: string, asked: TextRequest): Promise<TextAnswer> {
  const { proxy = "" } = asked;
  if (proxy === "") return fetchBy(client, address, asked);
  // The proxy resolves the name, so that only an address can be checked here.
  const { hostname } = new URL(address);
  if (isMetadataHost(hostname)) throw new ForbiddenAddressError(hostname);
  const through = createProxyClient(proxy);
  try {
    return await fetchBy(through, address, asked);
  } finally {
    await through.destroy().catch(() => undefined);
  }
}

async function fetchBy(dispatcher: Dispatcher, address: string, asked: TextRequest): Promise<TextAnswer> {
  const { method, headers, body, mostBytes, timeoutMs = TIMEOUT_MS } = asked;
  const answer = await request(address, {
    dispatcher,
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: "application/json", "user-agent": "one-api", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
  if (isRedirect) {
    await answer.body.dump();
    throw new Error("The server leads elsewhere.");
  }
  return { status: answer.statusCode, ...(await readText(answer.body, mostBytes)) };
}

async function readText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Omit<TextAnswer, "status">> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > mostBytes) break;
  }
  const text = Buffer.concat(chunks).subarray(0, mostBytes).toString("utf8");
  return { text, isCut: bytes > mostBytes };
}
