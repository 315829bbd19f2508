import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Http1TestServer, plainRequest, startHttp1Server } from "../testing/start-http1-server.ts";
import type { RequestHandler } from "./plain-connection.ts";

/** Responds with all that was read of the request. */
const echo: RequestHandler = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.once("end", () => {
    const { method, url, httpVersion, headers, rawHeaders } = request;
    const body = Buffer.concat(chunks).toString("latin1");
    const text = JSON.stringify({ method, url, httpVersion, headers: Object.entries(headers), rawHeaders, body });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.end(text);
  });
  request.resume();
};

/** Requests that are not plain: known smuggling forms, and other unusual ones. */
const NOT_PLAIN: Readonly<Record<string, string>> = {
  "a length and chunked": plainRequest("0\r\n\r\nGET /v1/second HTTP/1.1\r\nHost: a\r\n\r\n", [
    "Transfer-Encoding: chunked",
  ]),
  "chunks under another name": plainRequest("0\r\n\r\n", ["Transfer-Encoding: xchunked"]),
  "chunks behind a tab": plainRequest("0\r\n\r\n", ["Transfer-Encoding:\tchunked"]),
  "chunks twice": plainRequest("0\r\n\r\n", ["Transfer-Encoding: chunked, chunked"]),
  "chunks behind a vertical tab": plainRequest("0\r\n\r\n", ["Transfer-Encoding:\u000bchunked"]),
  "chunks on a folded line": plainRequest("0\r\n\r\n", ["Transfer-Encoding:\r\n chunked"]),
  "two lengths": plainRequest("hello", ["Content-Length: 3"]),
  "the same length twice": plainRequest("hello", ["content-length: 5"]),
  "a list of lengths": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello",
  "a length with a sign": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
  "a negative length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello",
  "a length with a space": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1 0\r\n\r\nhello",
  "a hexadecimal length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello",
  "a length beyond numbers": `POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${"9".repeat(30)}\r\n\r\nhello`,
  "an empty length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nhello",
  "no length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\n\r\n",
  "a folded line": plainRequest("hello", ["X-A: b\r\n c"]),
  "a folded first line": "POST /v1/echo HTTP/1.1\r\n Host: a\r\nContent-Length: 0\r\n\r\n",
  "a bare LF": plainRequest("hello", ["X-A: b\nContent-Length: 1"]),
  "bare LFs alone": "POST /v1/echo HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
  "a bare CR": plainRequest("hello", ["X-A: b\rContent-Length: 1"]),
  "a NUL in a value": plainRequest("hello", ["X-A: b\0c"]),
  "a NUL in a name": plainRequest("hello", ["X-\0A: b"]),
  "a DEL in a value": plainRequest("hello", ["X-A: b\u007f"]),
  "a space before a colon": plainRequest("hello", ["X-A : b"]),
  "a space before the length's colon": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello",
  "no colon": plainRequest("hello", ["X-A"]),
  "no name": plainRequest("hello", [": b"]),
  "an underscore first": plainRequest("hello", ["__proto__: b"]),
  "a name of Object.prototype": plainRequest("hello", ["constructor: b"]),
  "a value beyond ASCII": plainRequest("hello", ["X-A: caf\u00e9"]),
  "a target beyond ASCII": plainRequest("hello", [], "/v1/caf\u00e9"),
  "a target in absolute form": plainRequest("hello", [], "http://gateway/v1/echo"),
  "a target in authority form": plainRequest("hello", [], "gateway:80"),
  "a fragment": plainRequest("hello", [], "/v1/echo#part"),
  "a space in the target": plainRequest("hello", [], "/v1/echo x"),
  "no target": "POST HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "two spaces": "POST  /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "an empty line first": `\r\n${plainRequest("hello")}`,
  "HTTP/1.0": "POST /v1/echo HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/2.0": "POST /v1/echo HTTP/2.0\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "another protocol": "POST /v1/echo ICE/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "a method in lower case": "post /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "another method": "PUT /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "two hosts": plainRequest("hello", ["Host: other"]),
  "no host": "POST /v1/echo HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
  "two keys": plainRequest("hello", ["Authorization: a", "authorization: b"]),
  "a field twice": plainRequest("hello", ["X-A: b", "x-a: c"]),
  "connection: close in the request": plainRequest("hello", ["Connection: close"]),
  "a connection with options": plainRequest("hello", ["Connection: keep-alive, x"]),
  "a proxy's connection": plainRequest("hello", ["Proxy-Connection: close"]),
  "an upgrade": plainRequest("hello", ["Connection: Upgrade", "Upgrade: h2c"]),
  "an expectation": plainRequest("hello", ["Expect: 100-continue"]),
  "set-cookie": plainRequest("hello", ["Set-Cookie: a"]),
  "a trailer": plainRequest("hello", ["Trailer: x"]),
  "a second request behind it": plainRequest("hello") + plainRequest("again"),
  "nonsense behind it": `${plainRequest("hello")}nonsense\r\n\r\n`,
  "a body longer than its length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhello",
  "an unfinished head": "POST /v1/echo HTTP/1.1\r\nHost: a\r\n",
  "a head of 10 KB": plainRequest("hello", [`X-A: ${"a".repeat(10_000)}`]),
  "a head of 20 KB": plainRequest("hello", [`X-A: ${"a".repeat(20_000)}`]),
  "a target of 20 KB": plainRequest("hello", [], `/v1/${"a".repeat(20_000)}`),
  "a hundred fields": plainRequest(
    "hello",
    Array.from({ length: 100 }, (_, index) => `X-${index}: a`),
  ),
  nonsense: "\u0016\u0003\u0001nonsense",
};

const PLAIN: Readonly<Record<string, string>> = {
  "the shortest": plainRequest(),
  "a body": plainRequest("hello"),
  "a long body": plainRequest("x".repeat(200_000)),
  "a query": plainRequest("hello", [], "/v1/a%20b/c:d?key=x&y=~'()*!$,;@+="),
  "connection: keep-alive": plainRequest("hello", ["Connection: Keep-Alive"]),
  "spaces around a value": plainRequest("hello", ["X-A: \t b  c\t "]),
  "no value": plainRequest("hello", ["X-A:", "X-B:  "]),
  "a length with leading zeros": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
  "a body shorter than its length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhello",
  "an empty host": "POST /v1/echo HTTP/1.1\r\nHost:\r\nContent-Length: 5\r\n\r\nhello",
  "names in any case": plainRequest("hello", ["aUTHORIZATION: Bearer a", "Cookie: a=b; c=d", "x_y-1: z"]),
};

/** All forms of response that the relay sends. */
const RESPONSES: Readonly<Record<string, RequestHandler>> = {
  "a short text of known length": (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": 4, "x-number": 7 });
    response.end("caf\u00e9", "latin1");
  },
  "bytes of known length": (_request, response) => {
    response.writeHead(200, { "content-length": 30_000 });
    response.end(Buffer.alloc(30_000, "x"));
  },
  "slices of known length": (_request, response) => {
    response.writeHead(200, { "content-length": 60_003 });
    for (const slice of [Buffer.alloc(30_000, "x"), Buffer.alloc(0), Buffer.alloc(30_000, "y")]) response.write(slice);
    response.end("end", "latin1");
  },
  "an error without a length": (_request, response) => {
    response.writeHead(429, { "Retry-After": "2", "x-a": ["b", "c"] });
    response.end('{"error":"caf\u00e9"}');
  },
  "a status without a name": (_request, response) => {
    response.writeHead(599, {});
    response.end();
  },
  chunks: (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of ["data: caf\u00e9\n\n", "", Buffer.from("data: 2\n\n"), Buffer.alloc(40_000, "z")]) {
      response.write(chunk);
    }
    response.end("data: [DONE]\n\n", "latin1");
  },
  "chunks and an empty end": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    response.end();
  },
  "a long last chunk": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(Buffer.alloc(40_000, "z"));
  },
  "connection: close": (_request, response) => {
    response.writeHead(503, { connection: "close", "content-length": 2 });
    response.end("no", "latin1");
  },
};

describe("http1 reads and writes what Node does", () => {
  let http1: Http1TestServer;
  let node: Http1TestServer;
  beforeEach(async () => {
    [http1, node] = await Promise.all([startHttp1Server("http1", echo), startHttp1Server("node", echo)]);
  });
  afterEach(() => Promise.all([http1.close(), node.close()]));

  for (const [name, bytes] of Object.entries(NOT_PLAIN)) {
    it(`${name}: is left to Node`, async () => {
      const responses = await Promise.all([http1, node].map((each) => each.exchange(Buffer.from(bytes, "latin1"))));
      assert.equal(responses[0], responses[1]);
      assert.equal(http1.plainRequests, 0);
    });
  }

  for (const [name, bytes] of Object.entries(PLAIN)) {
    it(`${name}: is plain, and read the same`, async () => {
      const responses = await Promise.all([http1, node].map((each) => each.exchange(bytes)));
      assert.equal(responses[0], responses[1]);
      assert.equal(http1.plainRequests, 1);
    });
  }

  for (const [name, handler] of Object.entries(RESPONSES)) {
    it(`${name}: is written with the same bytes`, async () => {
      const tests = await Promise.all([startHttp1Server("http1", handler), startHttp1Server("node", handler)]);
      const responses = await Promise.all(tests.map((test) => test.exchange(plainRequest("hello"))));
      await Promise.all(tests.map((test) => test.close()));
      assert.equal(responses[0], responses[1]);
      assert.equal(tests[0].plainRequests, 1);
    });
  }

  it("mutated requests have the same outcome", async () => {
    const random = seededRandom(20_261_122);
    for (let round = 0; round < 800; round += 1) {
      const bytes = mutate(random);
      const [ours, theirs] = await Promise.all([http1, node].map((each) => each.exchange(bytes)));
      assert.equal(ours, theirs, JSON.stringify(bytes.toString("latin1")));
    }
    assert.ok(http1.plainRequests > 100, `${http1.plainRequests} were plain`);
    assert.ok(http1.plainRequests < 700, `${http1.plainRequests} were plain`);
  });
});

/** Pseudo-random numbers from 0 to 1, the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const BASE = plainRequest("hello", [
  "Connection: keep-alive",
  "Authorization: Bearer sk-a",
  "Content-Type: application/json",
]);

/** Inserted by mutations. */
const TOKENS = [
  ..."\r\n\0\t :;,/#%?_-+(){}\"'\\\u007f\u0080\u00ffaZ059".split(""),
  "\r\n",
  "\r\n\r\n",
  "\r\n ",
  "Content-Length: 3\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Connection: close\r\n",
  "Expect: 100-continue\r\n",
  "Upgrade: x\r\n",
  "Host: b\r\n",
  "X-A: b\r\n",
  "5\r\nhello\r\n0\r\n\r\n",
  "HTTP/1.0",
];

/** The usual request after up to three mutations: characters removed, inserted or repeated. */
function mutate(random: () => number): Buffer {
  const pick = (below: number) => Math.floor(random() * below);
  let text = BASE;
  for (let change = pick(3); change >= 0; change -= 1) {
    // Half of the mutations are at the start of a line.
    const borders = [...text.matchAll(/\r\n/g)].map(({ index }) => index + 2);
    const at = random() < 0.5 ? pick(text.length + 1) : (borders[pick(borders.length)] ?? 0);
    const kind = pick(4);
    const length = kind === 0 ? 1 + pick(4) : 0;
    const token = kind === 1 || kind === 0 ? "" : (TOKENS[pick(TOKENS.length)] ?? "");
    const copied = kind === 1 ? text.slice(at, at + 1 + pick(30)) : token;
    text = text.slice(0, at) + copied + text.slice(at + length);
  }
  return Buffer.from(text, "latin1");
}
