const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a URLSearchParams is sent as a form. */
  readonly body?: Readonly<Record<string, string>> | URLSearchParams;
}

/**
 * Asks another server and returns its answer, whatever its HTTP status. Follows no redirect, so that what is sent goes nowhere else.
 * Throws when there is no answer in 5 s, when it is longer than 256 KiB, or when it is not JSON.
 */
export async function fetchJson(address: string, { method, headers = {}, body }: JsonRequest): Promise<unknown> {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(address, {
    method,
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: "application/json",
      "user-agent": "one-api",
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  return JSON.parse(await readText(response));
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`The answer is longer than ${MAX_ANSWER_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
