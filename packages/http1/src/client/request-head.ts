import type { OutgoingHttpHeaders } from "node:http";
import { errors, type Dispatcher } from "undici";
import { FORBIDDEN_IN_VALUE, TOKEN } from "../grammar/field-syntax.ts";

const FORBIDDEN_IN_PATH = /[^\x21-\x7e\x80-\xff]/;
const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
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

/** Whether a name is plain. The same names come in every request. */
const knownNames = new Map<string, boolean>();
const MAX_KNOWN_NAMES = 1_000;

/** A head without the length of the body: most requests to a server have the same. */
interface WrittenHead {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  readonly text: string;
}

export interface HeadReceiver {
  readonly host: string;
  lastHead: WrittenHead | undefined;
}

/**
 * Writes the head of a request, with its empty line. Undefined if the request is not plain. Throws InvalidArgumentError, without the value, for one that could end its line.
 */
export function writeRequestHead(options: Dispatcher.DispatchOptions, to: HeadReceiver): string | undefined {
  const { method, body } = options;
  if (!METHODS.has(method) || !isPlain(options)) return undefined;
  const head = writeOrReuse(options, to);
  if (head === undefined) return undefined;
  const takesBody = method !== "GET" && method !== "DELETE";
  const length = Buffer.isBuffer(body) ? body.length : 0;
  if (length > 0 && !takesBody) return undefined;
  return takesBody ? `${head}content-length: ${length}\r\n\r\n` : `${head}\r\n`;
}

function writeOrReuse(options: Dispatcher.DispatchOptions, to: HeadReceiver): string | undefined {
  const { headers } = options;
  if (headers !== null && headers !== undefined && (Array.isArray(headers) || Symbol.iterator in headers))
    return undefined;
  const named = headers ?? {};
  const last = to.lastHead;
  return last !== undefined && isSameHead(last, options, named) ? last.text : writeLines(options, named, to);
}

function isSameHead(
  last: WrittenHead,
  { method, path }: Dispatcher.DispatchOptions,
  headers: OutgoingHttpHeaders,
): boolean {
  if (last.method !== method || last.path !== path) return false;
  const { fields } = last;
  let at = 0;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (fields[at] !== name || fields[at + 1] !== value) return false;
    at += 2;
  }
  return at === fields.length;
}

function writeLines(
  { method, path }: Dispatcher.DispatchOptions,
  headers: OutgoingHttpHeaders,
  to: HeadReceiver,
): string | undefined {
  if (FORBIDDEN_IN_PATH.test(path)) return undefined;
  const fields: string[] = [];
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${to.host}\r\nconnection: keep-alive\r\n`;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (typeof value !== "string" || !isPlainName(name)) return undefined;
    if (FORBIDDEN_IN_VALUE.test(value)) throw new errors.InvalidArgumentError(`invalid ${name} header`);
    text += `${name}: ${value}\r\n`;
    fields.push(name, value);
  }
  // V8 flattens a concatenated string at every use; this one is flat.
  text = Buffer.from(text, "latin1").toString("latin1");
  to.lastHead = { method, path, fields, text };
  return text;
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
  const isPlainOne = TOKEN.test(name) && !CONNECTION_HEADERS.has(name.toLowerCase());
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  knownNames.set(name, isPlainOne);
  return isPlainOne;
}
