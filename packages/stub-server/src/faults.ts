import type { OutgoingHttpHeaders } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import type { Exchange } from "./exchange.ts";

/** Headers of one hop, one site or a browser, which a gateway must not forward. */
const unsolicited: OutgoingHttpHeaders = {
  "set-cookie": ["session=upstream; Path=/; HttpOnly", "tracking=1; Domain=example.com"],
  server: "stub-server/1.0",
  "x-powered-by": "stub-server",
  via: "1.1 fake-proxy",
  location: "https://example.com/elsewhere",
  refresh: "0; url=https://example.com/elsewhere",
  link: "<https://example.com/style.css>; rel=preload; as=style",
  "content-security-policy": "default-src 'none'",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "alt-svc": 'h3=":443"; ma=86400',
  "clear-site-data": '"cookies"',
  "proxy-authenticate": 'Basic realm="upstream"',
  "www-authenticate": 'Basic realm="upstream"',
  "keep-alive": "timeout=5, max=10",
  connection: "keep-alive, x-internal-hop",
  "x-internal-hop": "only for the next hop",
  "x-forwarded-for": "192.0.2.1",
};

export function addedHeaders(behaviour: Behaviour): OutgoingHttpHeaders {
  return behaviour.kind === "unsolicited-headers" ? unsolicited : {};
}

const bytesPerMegabyte = 1_048_576;

/** Pads the JSON of an object by `megabytes` MiB; it stays valid. `obfuscation` is OpenAI's own padding field. */
export function padJson(json: string, megabytes: number): string {
  return `${json.slice(0, -1)},"obfuscation":"${"x".repeat(megabytes * bytesPerMegabyte)}"}`;
}

const pauseBetweenHalvesMs = 5;

/** Writes a text in two chunks, split inside a character; a single-byte text is written whole. */
export async function writeSplit(exchange: Exchange, text: string | Buffer): Promise<void> {
  const halves = splitInsideCharacter(text);
  if (halves === null) {
    exchange.write(text);
    return;
  }
  exchange.write(halves[0]);
  await exchange.pause(pauseBetweenHalvesMs);
  if (!exchange.isClosed) exchange.write(halves[1]);
}

/** Writes every byte separately, so that a reader can see a cut between any two. */
export async function writeBytes(exchange: Exchange, text: string | Buffer): Promise<void> {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  for (let at = 0; at < bytes.length && !exchange.isClosed; at += 1) {
    exchange.write(bytes.subarray(at, at + 1));
    await nextTurn();
  }
}

/** Splits a text inside its first multi-byte character; null without one. */
function splitInsideCharacter(text: string | Buffer): [Buffer, Buffer] | null {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const firstByte = bytes.findIndex((byte) => byte >= 0xc0);
  return firstByte === -1 ? null : [bytes.subarray(0, firstByte + 1), bytes.subarray(firstByte + 1)];
}
