import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type Answer,
  type CallerServerTest,
  plainCall,
  startCallerServer,
} from "../../testing/servers/start-caller-server.ts";

/** Answers with all that was read. */
const echo: Answer = (request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece) => pieces.push(piece));
  request.once("end", () => {
    const { method, url, httpVersion, headers, rawHeaders } = request;
    const body = Buffer.concat(pieces).toString("latin1");
    const answer = JSON.stringify({ method, url, httpVersion, headers: Object.entries(headers), rawHeaders, body });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
  request.resume();
};

/** What tries to make two readers of one connection see different requests, and what is odd in other ways. None of it is in the plain form. */
const ODD: Readonly<Record<string, string>> = {
  "a length and chunks": plainCall("0\r\n\r\nGET /v1/second HTTP/1.1\r\nHost: a\r\n\r\n", [
    "Transfer-Encoding: chunked",
  ]),
  "chunks under another name": plainCall("0\r\n\r\n", ["Transfer-Encoding: xchunked"]),
  "chunks behind a tab": plainCall("0\r\n\r\n", ["Transfer-Encoding:\tchunked"]),
  "chunks twice": plainCall("0\r\n\r\n", ["Transfer-Encoding: chunked, chunked"]),
  "chunks behind a vertical tab": plainCall("0\r\n\r\n", ["Transfer-Encoding:\u000bchunked"]),
  "chunks on a folded line": plainCall("0\r\n\r\n", ["Transfer-Encoding:\r\n chunked"]),
  "two lengths": plainCall("hello", ["Content-Length: 3"]),
  "the same length twice": plainCall("hello", ["content-length: 5"]),
  "a list of lengths": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello",
  "a length with a sign": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello",
  "a negative length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello",
  "a length with a space": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1 0\r\n\r\nhello",
  "a hexadecimal length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello",
  "a length beyond numbers": `POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${"9".repeat(30)}\r\n\r\nhello`,
  "an empty length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nhello",
  "no length": "POST /v1/echo HTTP/1.1\r\nHost: a\r\n\r\n",
  "a folded line": plainCall("hello", ["X-A: b\r\n c"]),
  "a folded first line": "POST /v1/echo HTTP/1.1\r\n Host: a\r\nContent-Length: 0\r\n\r\n",
  "a bare LF": plainCall("hello", ["X-A: b\nContent-Length: 1"]),
  "bare LFs alone": "POST /v1/echo HTTP/1.1\nHost: a\nContent-Length: 0\n\n",
  "a bare CR": plainCall("hello", ["X-A: b\rContent-Length: 1"]),
  "a NUL in a value": plainCall("hello", ["X-A: b\0c"]),
  "a NUL in a name": plainCall("hello", ["X-\0A: b"]),
  "a DEL in a value": plainCall("hello", ["X-A: b\u007f"]),
  "a space before a colon": plainCall("hello", ["X-A : b"]),
  "a space before the length's colon": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\nhello",
  "no colon": plainCall("hello", ["X-A"]),
  "no name": plainCall("hello", [": b"]),
  "an underscore first": plainCall("hello", ["__proto__: b"]),
  "a name that objects have": plainCall("hello", ["constructor: b"]),
  "letters beyond ASCII in a value": plainCall("hello", ["X-A: caf\u00e9"]),
  "letters beyond ASCII in the target": plainCall("hello", [], "/v1/caf\u00e9"),
  "a target in absolute form": plainCall("hello", [], "http://gateway/v1/echo"),
  "a target in authority form": plainCall("hello", [], "gateway:80"),
  "a fragment": plainCall("hello", [], "/v1/echo#part"),
  "a space in the target": plainCall("hello", [], "/v1/echo x"),
  "no target": "POST HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "two spaces": "POST  /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  "an empty line first": `\r\n${plainCall("hello")}`,
  "HTTP/1.0": "POST /v1/echo HTTP/1.0\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/2.0": "POST /v1/echo HTTP/2.0\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "another protocol": "POST /v1/echo ICE/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "a method in lower case": "post /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "another method": "PUT /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
  "two hosts": plainCall("hello", ["Host: other"]),
  "no host": "POST /v1/echo HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
  "two keys": plainCall("hello", ["Authorization: a", "authorization: b"]),
  "a field twice": plainCall("hello", ["X-A: b", "x-a: c"]),
  "a connection that closes": plainCall("hello", ["Connection: close"]),
  "a connection with options": plainCall("hello", ["Connection: keep-alive, x"]),
  "a proxy's connection": plainCall("hello", ["Proxy-Connection: close"]),
  "an upgrade": plainCall("hello", ["Connection: Upgrade", "Upgrade: h2c"]),
  "an expectation": plainCall("hello", ["Expect: 100-continue"]),
  "an answer's cookie": plainCall("hello", ["Set-Cookie: a"]),
  "a trailer": plainCall("hello", ["Trailer: x"]),
  "a second request behind it": plainCall("hello") + plainCall("again"),
  "what is no request behind it": `${plainCall("hello")}nonsense\r\n\r\n`,
  "a longer body than was said": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhello",
  "an unfinished head": "POST /v1/echo HTTP/1.1\r\nHost: a\r\n",
  "a head of 10 KB": plainCall("hello", [`X-A: ${"a".repeat(10_000)}`]),
  "a head of 20 KB": plainCall("hello", [`X-A: ${"a".repeat(20_000)}`]),
  "a target of 20 KB": plainCall("hello", [], `/v1/${"a".repeat(20_000)}`),
  "a hundred fields": plainCall(
    "hello",
    Array.from({ length: 100 }, (_, index) => `X-${index}: a`),
  ),
  nonsense: "\u0016\u0003\u0001nonsense",
};

/** Requests in the plain form. */
const PLAIN: Readonly<Record<string, string>> = {
  "the shortest": plainCall(),
  "a body": plainCall("hello"),
  "a long body": plainCall("x".repeat(200_000)),
  "a query": plainCall("hello", [], "/v1/a%20b/c:d?key=x&y=~'()*!$,;@+="),
  "a connection that is kept": plainCall("hello", ["Connection: Keep-Alive"]),
  "spaces around a value": plainCall("hello", ["X-A: \t b  c\t "]),
  "no value": plainCall("hello", ["X-A:", "X-B:  "]),
  "a length with zeros before it": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\n\r\nhello",
  "less of a body than was said": "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhello",
  "no value of the host": "POST /v1/echo HTTP/1.1\r\nHost:\r\nContent-Length: 5\r\n\r\nhello",
  "names in any case": plainCall("hello", ["aUTHORIZATION: Bearer a", "Cookie: a=b; c=d", "x_y-1: z"]),
};

/** Answers of every form that the relay gives. */
const ANSWERS: Readonly<Record<string, Answer>> = {
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
  pieces: (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of ["data: caf\u00e9\n\n", "", Buffer.from("data: 2\n\n"), Buffer.alloc(40_000, "z")]) {
      response.write(piece);
    }
    response.end("data: [DONE]\n\n", "latin1");
  },
  "pieces and a bare end": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    response.end();
  },
  "a long last piece": (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(Buffer.alloc(40_000, "z"));
  },
  "the last on its connection": (_request, response) => {
    response.writeHead(503, { connection: "close", "content-length": 2 });
    response.end("no", "latin1");
  },
};

describe("what is read directly is what Node reads", () => {
  let direct: CallerServerTest;
  let node: CallerServerTest;
  beforeEach(async () => {
    [direct, node] = await Promise.all([startCallerServer("direct", echo), startCallerServer("node", echo)]);
  });
  afterEach(() => Promise.all([direct.close(), node.close()]));

  for (const [what, bytes] of Object.entries(ODD)) {
    it(`${what}: goes to Node, which answers as ever`, async () => {
      const answers = await Promise.all([direct, node].map((each) => each.exchange(Buffer.from(bytes, "latin1"))));
      assert.equal(answers[0], answers[1]);
      assert.equal(direct.direct, 0);
    });
  }

  for (const [what, bytes] of Object.entries(PLAIN)) {
    it(`${what}: is read directly, and the same`, async () => {
      const answers = await Promise.all([direct, node].map((each) => each.exchange(bytes)));
      assert.equal(answers[0], answers[1]);
      assert.equal(direct.direct, 1);
    });
  }

  for (const [what, answer] of Object.entries(ANSWERS)) {
    it(`${what}: is answered with the same bytes`, async () => {
      const tests = await Promise.all([startCallerServer("direct", answer), startCallerServer("node", answer)]);
      const answers = await Promise.all(tests.map((test) => test.exchange(plainCall("hello"))));
      await Promise.all(tests.map((test) => test.close()));
      assert.equal(answers[0], answers[1]);
      assert.equal(tests[0].direct, 1);
    });
  }

  it("any change of any letters has the same outcome", async () => {
    const random = seededRandom(20_261_122);
    for (let round = 0; round < 800; round += 1) {
      const bytes = mutate(random);
      const [ours, theirs] = await Promise.all([direct, node].map((each) => each.exchange(bytes)));
      assert.equal(ours, theirs, JSON.stringify(bytes.toString("latin1")));
    }
    assert.ok(direct.direct > 100, `${direct.direct} were read directly`);
    assert.ok(direct.direct < 700, `${direct.direct} were read directly`);
  });
});

/** Numbers from 0 up to 1 that are the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const BASE = plainCall("hello", [
  "Connection: keep-alive",
  "Authorization: Bearer sk-a",
  "Content-Type: application/json",
]);

/** What requests are torn apart with. */
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

/** The usual request after a few changes: letters left out, put in, doubled or taken from elsewhere. */
function mutate(random: () => number): Buffer {
  const pick = (below: number) => Math.floor(random() * below);
  let text = BASE;
  for (let change = pick(3); change >= 0; change -= 1) {
    // Whole lines are changed at their borders as often as anything in them.
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
