import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HeadMemory, ResponseHead } from "./response-head.ts";
import { ResponseParser, type ResponseSink } from "./response-parser.ts";

class RecordingSink implements ResponseSink {
  isStopped = false;
  readonly statuses: number[] = [];
  headers: Readonly<Record<string, unknown>> = {};
  text = "";
  hasEnded = false;

  head({ status, headers }: ResponseHead): void {
    this.statuses.push(status);
    this.headers = { ...headers };
  }

  body(bytes: Buffer): void {
    this.text += bytes.toString("latin1");
  }

  end(): void {
    this.hasEnded = true;
  }
}

interface Read {
  readonly sink: RecordingSink;
  /** Bytes behind the response. */
  readonly rest: string;
  readonly keepAliveMs: number | undefined;
}

/** All responses come from one server, so that later heads are compared with earlier ones. */
const known: HeadMemory = { head: undefined };

/** Parses the chunks, then the end of the connection unless the response has ended. */
function read(...chunks: readonly string[]): Read {
  const parser = new ResponseParser(known);
  const sink = new RecordingSink();
  parser.expect(sink);
  let rest = "";
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk, "latin1");
    rest += bytes.toString("latin1", parser.push(bytes));
  }
  if (!parser.isOver) parser.finish();
  return { sink, rest, keepAliveMs: parser.keepAliveMs };
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

const WHOLE: readonly { name: string; bytes: string; body: string; rest?: string; status?: number }[] = [
  { name: "a length", bytes: `${OK}Content-Length: 5\r\n\r\nhello`, body: "hello" },
  { name: "a length of 0", bytes: `${OK}Content-Length: 0\r\n\r\n`, body: "" },
  { name: "chunks", bytes: `${CHUNKED}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`, body: "hello world" },
  {
    name: "chunks with line ends in them",
    bytes: `${CHUNKED}4\r\n\r\n\r\n\r\n2\r\n0\r\r\n0\r\n\r\n`,
    body: "\r\n\r\n0\r",
  },
  { name: "sizes with zeros and capitals", bytes: `${CHUNKED}00000A\r\n0123456789\r\n0\r\n\r\n`, body: "0123456789" },
  { name: "extensions", bytes: `${CHUNKED}2;a=b;c="d e"\r\nhi\r\n0;last\r\n\r\n`, body: "hi" },
  { name: "trailers", bytes: `${CHUNKED}2\r\nhi\r\n0\r\nX-Sum: 1\r\nB:\r\n\r\n`, body: "hi" },
  { name: "the end of the connection", bytes: `${OK}\r\nall of it`, body: "all of it" },
  { name: "no body at 204", bytes: `HTTP/1.1 204 No Content\r\n\r\n`, body: "", status: 204 },
  { name: "no body at 304", bytes: `HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n`, body: "", status: 304 },
  { name: "HTTP/1.0", bytes: `HTTP/1.0 200 OK\r\n\r\nold`, body: "old" },
  { name: "no reason", bytes: `HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi`, body: "hi" },
  {
    name: "interim responses before it",
    bytes: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n${OK}Content-Length: 2\r\n\r\nhi`,
    body: "hi",
  },
  { name: "surplus bytes behind it", bytes: `${OK}Content-Length: 2\r\n\r\nhi${OK}`, body: "hi", rest: OK },
  { name: "bytes behind its chunks", bytes: `${CHUNKED}0\r\n\r\nHTTP`, body: "", rest: "HTTP" },
  { name: "bytes behind 204", bytes: `HTTP/1.1 204 OK\r\n\r\nbody`, body: "", rest: "body", status: 204 },
];

const MALFORMED: Readonly<Record<string, string>> = {
  "another protocol": "SSH-2.0-OpenSSH_9.6\r\n\r\n",
  "another version": `HTTP/2.0 200 OK\r\n\r\n`,
  "a status of two digits": "HTTP/1.1 20 OK\r\n\r\n",
  "a status with letters": "HTTP/1.1 2xx OK\r\n\r\n",
  "an empty line first": `\r\n${OK}\r\n`,
  "lines without CR": "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
  "one line without CR": `${OK}A: b\nContent-Length: 0\r\n\r\n`,
  "CR inside a value": `${OK}A: b\rc\r\n\r\n`,
  NUL: `${OK}A: b\0c\r\n\r\n`,
  "a folded header": `${OK}A: b\r\n c\r\n\r\n`,
  "a header without a colon": `${OK}A b\r\n\r\n`,
  "a space before the colon": `${OK}Content-Length : 2\r\n\r\nhi`,
  "no name": `${OK}: b\r\n\r\n`,
  "differing lengths": `${OK}Content-Length: 2\r\nContent-Length: 5\r\n\r\nhi`,
  "the same length twice": `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi`,
  "a list of lengths": `${OK}Content-Length: 2, 2\r\n\r\nhi`,
  "a signed length": `${OK}Content-Length: +2\r\n\r\nhi`,
  "an empty length": `${OK}Content-Length:\r\n\r\n`,
  "a length of 16 digits": `${OK}Content-Length: 9999999999999999\r\n\r\n`,
  "a length and chunks": `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "chunks and a length": `${OK}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n`,
  "a switch of protocols": `HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n`,
  "a chunk without a size": `${CHUNKED}\r\nhi\r\n0\r\n\r\n`,
  "a size that is no number": `${CHUNKED}2x\r\nhi\r\n0\r\n\r\n`,
  "a size with 0x": `${CHUNKED}0x2\r\nhi\r\n0\r\n\r\n`,
  "a size with a sign": `${CHUNKED}-2\r\nhi\r\n0\r\n\r\n`,
  "a size of nine digits": `${CHUNKED}fffffffff\r\n`,
  "a size line without CR": `${CHUNKED}2\nhi\r\n0\r\n\r\n`,
  "a chunk that is longer than its size": `${CHUNKED}2\r\nhii\r\n0\r\n\r\n`,
  "CR without LF behind a size": `${CHUNKED}2\rhi\r\n0\r\n\r\n`,
  "LF in an extension": `${CHUNKED}2;a\nb\r\nhi\r\n0\r\n\r\n`,
  "a trailer without a colon": `${CHUNKED}0\r\nabc\r\n\r\n`,
  "a trailer with NUL": `${CHUNKED}0\r\na: \0\r\n\r\n`,
};

describe("responses", () => {
  for (const { name, bytes, body, rest = "", status = 200 } of WHOLE) {
    it(`end with ${name}, wherever they are cut`, () => {
      for (let cut = 0; cut <= bytes.length; cut++) {
        const { sink, rest: left } = read(bytes.slice(0, cut), bytes.slice(cut));
        assert.equal(sink.statuses.at(-1), status, `cut at ${cut}`);
        assert.equal(sink.text, body, `cut at ${cut}`);
        assert.equal(sink.hasEnded, true, `cut at ${cut}`);
        assert.equal(left, rest, `cut at ${cut}`);
      }
      const single = read(...bytes.split(""));
      assert.equal(single.sink.text, body);
      assert.equal(single.rest, rest);
    });
  }

  for (const [name, bytes] of Object.entries(MALFORMED)) {
    it(`are refused with ${name}, wherever they are cut`, () => {
      for (let cut = 0; cut <= bytes.length; cut++) {
        assert.throws(
          () => read(bytes.slice(0, cut), bytes.slice(cut)),
          { code: "MALFORMED_RESPONSE" },
          `cut at ${cut}`,
        );
      }
    });
  }

  it("that are cut off have no end", () => {
    for (const { bytes, rest, status, name } of WHOLE) {
      if (rest !== undefined || status !== undefined || /connection|1\.0/.test(name)) continue;
      for (let length = 0; length < bytes.length; length++) {
        assert.equal(read(bytes.slice(0, length)).sink.hasEnded, false, `${name} after ${length}`);
      }
    }
  });

  it("have lower-case names, lists of repeated headers, and values without blanks around them", () => {
    const { headers } = read(
      `${OK}X-A: 1\r\nx-a:\t2 \r\n__proto__: x\r\n__proto__: y\r\nConstructor:\r\nB:\xa0c\r\n\r\n`,
    ).sink;
    const expected = [
      ["x-a", ["1", "2"]],
      ["constructor", ""],
      ["b", "\xa0c"],
    ];
    assert.deepEqual(Object.entries(headers), expected);
    assert.equal(Object.getPrototypeOf(headers), Object.prototype);
  });

  it("may have heads of 64 KiB in total", () => {
    const informational = `HTTP/1.1 103 Early Hints\r\nA: ${"a".repeat(30_000)}\r\n\r\n`;
    const sink = read(informational, informational, `${OK}Content-Length: 0\r\n\r\n`).sink;
    assert.deepEqual(sink.statuses, [103, 103, 200]);
    const tooLong = [informational, informational, informational];
    assert.throws(() => read(...tooLong), { code: "UND_ERR_HEADERS_OVERFLOW" });
    assert.throws(() => read(tooLong.join("")), { code: "UND_ERR_HEADERS_OVERFLOW" });
    const endless = `${OK}A: ${"a".repeat(70_000)}`;
    assert.throws(() => read(endless), { code: "UND_ERR_HEADERS_OVERFLOW" });
    assert.throws(() => read(endless.slice(0, 100), endless.slice(100)), { code: "UND_ERR_HEADERS_OVERFLOW" });
    assert.throws(() => read(...(endless.match(/.{1,999}/gs) ?? [])), { code: "UND_ERR_HEADERS_OVERFLOW" });
  });

  it("may have neither long extensions nor long trailers", () => {
    assert.throws(() => read(`${CHUNKED}2;${"a".repeat(20_000)}`), { code: "MALFORMED_RESPONSE" });
    assert.throws(() => read(`${CHUNKED}0\r\n${"a: b\r\n".repeat(20_000)}`), { code: "MALFORMED_RESPONSE" });
  });

  it("have their own headers, however many lines they share with the previous one", () => {
    const lines = ["Content-Length: 0", "A: one", "B: two"];
    const heads = [
      lines,
      lines,
      lines.toReversed(),
      lines.with(1, "A: one more"),
      lines.with(1, "A: on"),
      lines.slice(1),
      lines,
    ];
    for (const head of [...heads, lines.with(2, "A: two"), lines.with(2, "B: two "), lines]) {
      const { sink } = read(`${OK}${head.map((line) => `${line}\r\n`).join("")}\r\n`);
      const expected: Record<string, string | string[]> = {};
      for (const line of head) {
        const [name = "", value = ""] = line.toLowerCase().trim().split(": ");
        const before = expected[name];
        expected[name] = before === undefined ? value : [String(before), value];
      }
      assert.deepEqual(sink.headers, expected);
    }
    assert.throws(() => read(`${OK}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`), { code: "MALFORMED_RESPONSE" });
  });

  it("have their own values, whatever the previous one had in the same lines", () => {
    const head = (...lines: readonly string[]) => `${OK}${lines.join("\r\n")}\r\n\r\n`;
    const heads: [text: string, headers: Record<string, string>, body: string][] = [
      [head("X-Id: 1", "Content-Length: 2"), { "x-id": "1", "content-length": "2" }, "ab"],
      [head("X-Id: 22", "Content-Length: 3"), { "x-id": "22", "content-length": "3" }, "abc"],
      [head("X-Id: 22", "Content-Length: 3"), { "x-id": "22", "content-length": "3" }, "abc"],
      [head("X-Id: 4", "Content-Length: 3"), { "x-id": "4", "content-length": "3" }, "abc"],
      [head("X-Other: 4", "Content-Length: 1"), { "x-other": "4", "content-length": "1" }, "a"],
      [head("X-Other: 4"), { "x-other": "4" }, "to the end"],
      [
        head("X-Other: 4", "Content-Length: 0", "X-More: 1"),
        { "x-other": "4", "content-length": "0", "x-more": "1" },
        "",
      ],
    ];
    for (const [text, headers, body] of heads) {
      const { sink } = read(text + body);
      assert.deepEqual([sink.headers, sink.text], [headers, body]);
    }
  });

  it("are refused for a second length that the previous one did not have", () => {
    read(`${OK}X-A: 1\r\nContent-Length: 0\r\n\r\n`);
    assert.throws(() => read(`${OK}X-A: 1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n`), {
      code: "MALFORMED_RESPONSE",
    });
  });

  it("wait while the sink is stopped, their end too", () => {
    const parser = new ResponseParser({ head: undefined });
    const sink = new RecordingSink();
    parser.expect(sink);
    sink.isStopped = true;
    const bytes = Buffer.from(`${OK}Content-Length: 0\r\n\r\n`);
    assert.equal(parser.push(bytes), 0);
    assert.deepEqual(sink.statuses, []);
    sink.isStopped = false;
    sink.head = () => {
      sink.isStopped = true;
    };
    assert.equal(parser.push(bytes), bytes.length);
    assert.equal(sink.hasEnded, false);
    sink.isStopped = false;
    assert.equal(parser.push(Buffer.alloc(0)), 0);
    assert.equal(sink.hasEnded, true);
  });

  it("announce how long their connection stays open", () => {
    const keepAliveMs = (fields: string, version = "HTTP/1.1") =>
      read(`${version} 200 OK\r\nContent-Length: 0\r\n${fields}\r\n`).keepAliveMs;
    assert.equal(keepAliveMs(""), undefined);
    assert.equal(keepAliveMs("Keep-Alive: timeout=5, max=9\r\n"), 5_000);
    assert.equal(keepAliveMs("Connection: close\r\n"), 0);
    assert.equal(keepAliveMs("Connection: keep-alive\r\nConnection: x, Close\r\n"), 0);
    assert.equal(keepAliveMs("Connection: closed\r\n"), undefined);
    assert.equal(keepAliveMs("", "HTTP/1.0"), 0);
    assert.equal(keepAliveMs("Connection: Keep-Alive\r\n", "HTTP/1.0"), undefined);
    assert.equal(read(`${OK}\r\nall`).keepAliveMs, 0);
    assert.equal(read("HTTP/1.1 204 OK\r\nContent-Length: 3\r\n\r\n").keepAliveMs, 0);
    assert.equal(read("HTTP/1.1 304 OK\r\nTransfer-Encoding: chunked\r\n\r\n").keepAliveMs, 0);
  });
});
