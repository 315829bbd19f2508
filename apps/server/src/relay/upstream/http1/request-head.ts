import { errors, type Dispatcher } from "undici";
import { FORBIDDEN_IN_VALUE, TOKEN } from "./field-syntax.ts";

const FORBIDDEN_IN_PATH = /[^\x21-\x7e\x80-\xff]/;
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Headers that say more than what they say to the provider: how the connection is used, or how the body is sent. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

/** Which names may stand in a head as they are. The same names come in every request. */
const knownNames = new Map<string, boolean>();
const MOST_KNOWN_NAMES = 1_000;

/**
 * Writes what stands before the body, with its empty line. Undefined for a request that is not of the plain kind: no or a Buffer's body, one text
 * a header, none of the connection. Throws InvalidArgumentError, which names the header and keeps its value to itself, where a header would end its own line.
 */
export function writeRequestHead(options: Dispatcher.DispatchOptions, host: string): string | undefined {
  const { method, path, headers, body } = options;
  if (!METHODS.has(method) || !isPlain(options) || FORBIDDEN_IN_PATH.test(path)) return undefined;
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  if (headers !== null && headers !== undefined) {
    if (Array.isArray(headers) || Symbol.iterator in headers) return undefined;
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined) continue;
      if (typeof value !== "string" || !isPlainName(name)) return undefined;
      if (FORBIDDEN_IN_VALUE.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`);
      head += `${name}: ${value}\r\n`;
    }
  }
  const takesBody = method !== "GET" && method !== "DELETE";
  const length = Buffer.isBuffer(body) ? body.length : 0;
  if (length > 0 && !takesBody) return undefined;
  return takesBody ? `${head}content-length: ${length}\r\n\r\n` : `${head}\r\n`;
}

function isPlain({
  path,
  body,
  upgrade,
  query,
  reset,
  expectContinue,
  typeOfService,
}: Dispatcher.DispatchOptions): boolean {
  const isBodyPlain = body === null || body === undefined || Buffer.isBuffer(body);
  const isUsual = upgrade === undefined || upgrade === null || upgrade === false;
  const isConnectionUsual = reset !== true && expectContinue !== true && typeof typeOfService !== "number";
  return isBodyPlain && isUsual && isConnectionUsual && query === undefined && path.startsWith("/");
}

function isPlainName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isPlainOne = TOKEN.test(name) && !OF_CONNECTION.has(name.toLowerCase());
  if (knownNames.size >= MOST_KNOWN_NAMES) knownNames.clear();
  knownNames.set(name, isPlainOne);
  return isPlainOne;
}
