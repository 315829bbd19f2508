import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { after, before, describe, it } from "node:test";
import { Agent, type Dispatcher } from "undici";
import { createTestClient } from "../testing/client-suite.ts";
import { recordDispatch } from "../testing/record-dispatch.ts";
import { type ByteServer, startByteServer } from "../testing/start-byte-server.ts";
import { until } from "../testing/until.ts";
import type { Http1Client } from "./http1-client.ts";

/** Pseudo-random integers below `bound`, the same in every run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const STATUS = ["200 OK", "200 OK", "200", "404 Not Found", "204 No Content", "304 Not Modified", "500 "];
const FIELDS = [
  "Content-Type: application/json\r\n",
  "X-Empty:\r\n",
  "x-twice: 1\r\nX-Twice: 2\r\n",
  "X-Latin: \xe4\xff\r\n",
  "X-Blanks: \t a b \t\r\n",
  "Connection: close\r\n",
  "Keep-Alive: timeout=5\r\n",
  "Set-Cookie: a=b\r\nSet-Cookie: c=d\r\n",
];
/** Inserted, or put in place of up to two characters. */
const INSERTIONS = [
  "\r",
  "\n",
  "\r\n",
  "\0",
  " ",
  ":",
  ";",
  "0",
  "f",
  "Content-Length: 3\r\n",
  "\r\n\r\n",
  "\x7f",
  "\t",
  "g",
  ",",
];

function chunked(body: string, next: (bound: number) => number): string {
  let text = "";
  for (let at = 0; at < body.length;) {
    const size = 1 + next(body.length - at);
    text += `${size.toString(16)}${next(5) === 0 ? ";x=y" : ""}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return `${text}0\r\n${next(5) === 0 ? "X-Trailer: 1\r\n" : ""}\r\n`;
}

/** A response as servers send it, with up to two mutations. */
function response(seed: number): string {
  const next = numbers(seed);
  const pick = <T>(items: readonly T[], otherwise: T) => items[next(items.length)] ?? otherwise;
  const fields = Array.from({ length: next(4) }, () => pick(FIELDS, "")).join("");
  const body = "0123456789abcdef\r\n".slice(next(18)).repeat(1 + next(3));
  const head = `HTTP/1.${next(8) === 0 ? 0 : 1} ${pick(STATUS, "")}\r\n${fields}`;
  const [length, coded] = pick(
    [
      [`Content-Length: ${body.length}\r\n`, body],
      ["Transfer-Encoding: chunked\r\n", chunked(body, next)],
      ["", body],
    ],
    ["", ""],
  );
  let text = `${head}${length}\r\n${coded}`;
  for (let mutations = next(3); mutations > 0; mutations--) {
    const at = next(text.length + 1);
    text = text.slice(0, at) + pick(INSERTIONS, "") + text.slice(at + next(3));
  }
  return text;
}

/** Concurrent requests, each on its own connection. */
const CONCURRENCY = 30;
const REFUSED = "refused";
/** Undici accepts control characters in the reason. */
const STRICTER = /^[^\n]*(?:[\0\x7f]|\r(?!\n))/;
/** Undici refuses blanks in extensions of chunks, which RFC 9112 (7.1.1) allows. */
const LOOSER = /[;=][ \t]|[ \t][;=]/;

async function outcome(client: Dispatcher, server: ByteServer, seed: number): Promise<unknown> {
  const record = recordDispatch(client, server.url, { path: `/${seed}`, headersTimeout: 20_000, bodyTimeout: 20_000 });
  await record.done;
  const { status, body, headers, error } = record;
  return error === undefined ? { status, body, headers: trimmed(headers) } : REFUSED;
}

/** Undici does not remove the blanks behind a value. */
function trimmed(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value).replace(/[ \t]+(?=,|$)/g, "")]);
}

describe("http1 and undici", () => {
  let server: ByteServer;
  let client: Http1Client;
  let undici: Agent;
  const responses = Array.from({ length: 1_500 }, (_, seed) => response(seed));

  before(async () => {
    server = await startByteServer((socket, { head }) => {
      socket.end(responses[Number(/ \/(\d+) /.exec(head)?.[1])] ?? "", "latin1");
    });
    undici = new Agent();
    client = createTestClient();
  });
  after(async () => {
    await Promise.all([undici.destroy(), client.destroy()]);
    await server.close();
  });

  it("read the same from the same bytes", async () => {
    let accepted = 0;
    for (let first = 0; first < responses.length; first += CONCURRENCY) {
      const seeds = responses.slice(first, first + CONCURRENCY).map((_, index) => first + index);
      const both = seeds.map((seed) => Promise.all([outcome(client, server, seed), outcome(undici, server, seed)]));
      for (const [index, [ours, theirs]] of (await Promise.all(both)).entries()) {
        const text = responses[first + index] ?? "";
        const shown = `${first + index}: ${JSON.stringify(text)}`;
        if (ours !== REFUSED) accepted++;
        if (STRICTER.test(text)) assert.equal(ours, REFUSED, shown);
        else if (theirs !== REFUSED || !LOOSER.test(text)) assert.deepEqual(ours, theirs, shown);
      }
      // The server closes each connection after its response; none may be reused.
      await until(() => server.sockets.size === 0);
    }
    assert.ok(accepted > responses.length / 3 && accepted < responses.length, `${accepted} were accepted`);
  });
});
