import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { after, before, describe, it } from "node:test";
import { Agent, type Dispatcher } from "undici";
import { recordDispatch } from "../../../testing/record-dispatch.ts";
import { type ByteServer, startByteServer } from "../../../testing/servers/start-byte-server.ts";
import { waitUntil } from "../../../testing/wait-until.ts";
import { DirectClient } from "./direct-client.ts";
import { directConnector } from "./direct-connector.ts";

/** Numbers that are the same in every run, below `bound`. */
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
/** What is put in, in the place of something or before it. */
const SPLINTERS = [
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

/** A response as servers send it, most of them damaged in one or two places. */
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
  for (let damage = next(3); damage > 0; damage--) {
    const at = next(text.length + 1);
    text = text.slice(0, at) + pick(SPLINTERS, "") + text.slice(at + next(3));
  }
  return text;
}

/** Requests that are under way at the same time, each on a connection of its own. */
const AT_ONCE = 30;
const REFUSED = "refused";
/** Undici takes control characters in the reason. */
const STRICTER = /^[^\n]*(?:[\0\x7f]|\r(?!\n))/;
/** Undici takes no blanks in extensions of chunks, which RFC 9112 (7.1.1) allows. */
const LOOSER = /[;=][ \t]|[ \t][;=]/;

async function outcome(client: Dispatcher, server: ByteServer, seed: number): Promise<unknown> {
  const record = recordDispatch(client, server.url, { path: `/${seed}`, headersTimeout: 20_000, bodyTimeout: 20_000 });
  await record.done;
  const { status, body, headers, error } = record;
  return error === undefined ? { status, body, headers: trimmed(headers) } : REFUSED;
}

/** Undici leaves the blanks behind a value, which are none of it. */
function trimmed(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).map(([name, value]) => [name, String(value).replace(/[ \t]+(?=,|$)/g, "")]);
}

describe("the same bytes, read by undici", () => {
  let server: ByteServer;
  let own: DirectClient;
  let judge: Agent;
  const responses = Array.from({ length: 1_500 }, (_, seed) => response(seed));

  before(async () => {
    server = await startByteServer((socket, { head }) => {
      socket.end(responses[Number(/ \/(\d+) /.exec(head)?.[1])] ?? "", "latin1");
    });
    judge = new Agent();
    own = new DirectClient(directConnector(10_000), new Agent());
  });
  after(async () => {
    await Promise.all([judge.destroy(), own.destroy()]);
    await server.close();
  });

  it("say the same", async () => {
    let whole = 0;
    for (let first = 0; first < responses.length; first += AT_ONCE) {
      const seeds = responses.slice(first, first + AT_ONCE).map((_, index) => first + index);
      const both = seeds.map((seed) => Promise.all([outcome(own, server, seed), outcome(judge, server, seed)]));
      for (const [index, [ours, theirs]] of (await Promise.all(both)).entries()) {
        const text = responses[first + index] ?? "";
        const told = `${first + index}: ${JSON.stringify(text)}`;
        if (ours !== REFUSED) whole++;
        if (STRICTER.test(text)) assert.equal(ours, REFUSED, told);
        else if (theirs !== REFUSED || !LOOSER.test(text)) assert.deepEqual(ours, theirs, told);
      }
      // The server closes after every answer; what it has closed must not be used for the next ones.
      await waitUntil(async () => server.sockets.size === 0);
    }
    assert.ok(whole > responses.length / 3 && whole < responses.length, `${whole} are whole`);
  });
});
