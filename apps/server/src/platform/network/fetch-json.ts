import { fetchText } from "./fetch-text.ts";

const MAX_ANSWER_BYTES = 256 * 1024;

interface JsonRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>> | URLSearchParams;
  readonly mostBytes?: number;
  readonly timeoutMs?: number;
  readonly proxy?: string;
}

/** Returns the JSON answer of any HTTP status. Throws on a long answer, and as `fetchText` does. */
export async function fetchJson(address: string, asked: JsonRequest): Promise<unknown> {
  const { method, headers = {}, body, mostBytes = MAX_ANSWER_BYTES, timeoutMs, proxy } = asked;
  const isForm = body instanceof URLSearchParams;
  const contentType = isForm ? "application/x-www-form-urlencoded;charset=UTF-8" : "application/json";
  const { text, isCut } = await fetchText(address, {
    method,
    mostBytes,
    headers: { ...(body === undefined ? {} : { "content-type": contentType }), ...headers },
    ...(body === undefined ? {} : { body: isForm ? body.toString() : JSON.stringify(body) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(proxy === undefined ? {} : { proxy }),
  });
  if (isCut) throw new Error(`The answer is longer than ${mostBytes} bytes.`);
  return JSON.parse(text);
}
