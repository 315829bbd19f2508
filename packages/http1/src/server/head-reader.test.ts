import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HeadReader, type PlainHead, rawHeadersOf } from "./head-reader.ts";

const LINES = [
  "POST /v1/chat/completions HTTP/1.1",
  "Host: gateway",
  "Content-Type: application/json",
  "Content-Length: 105",
  "Authorization: Bearer sk-a",
];

function headOf(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** The usual head with one line replaced. */
function withLine(index: number, line: string): Buffer {
  return headOf(LINES.map((each, at) => (at === index ? line : each)));
}

/** Reads the others, then the usual head, then the bytes. */
function readAfterUsual(bytes: Buffer, others: readonly Buffer[] = []): PlainHead | undefined {
  const reader = new HeadReader();
  for (const other of others) assert.ok(reader.read(other));
  assert.equal(reader.read(headOf(LINES))?.contentLength, 105);
  return reader.read(bytes);
}

/** Heads after which keys and hosts vary on the connection. */
const WITH_OTHER_VALUES = [withLine(4, "Authorization: Bearer sk-b"), withLine(1, "Host: other")];

function assertReadAsFirst(bytes: Buffer): void {
  const first = new HeadReader().read(bytes);
  const shown = JSON.stringify(bytes.toString("latin1"));
  assert.deepEqual(readAfterUsual(bytes), first, shown);
  assert.deepEqual(readAfterUsual(bytes, WITH_OTHER_VALUES), first, shown);
}

describe("a head after another one of its connection", () => {
  it("has its own length", () => {
    for (const length of ["7", "105", "0", "123456789012345"]) {
      const head = readAfterUsual(withLine(3, `Content-Length: ${length}`));
      assert.deepEqual([head?.contentLength, head?.headers["content-length"]], [Number(length), length]);
      assert.equal(head?.headers.authorization, "Bearer sk-a");
      assert.equal(rawHeadersOf(head.text)[5], length);
    }
  });

  it("has its own key, URL and headers", () => {
    const head = readAfterUsual(withLine(4, "Authorization: Bearer sk-b"));
    assert.equal(head?.headers.authorization, "Bearer sk-b");
    assert.equal(readAfterUsual(withLine(0, "POST /v1/embeddings HTTP/1.1"))?.url, "/v1/embeddings");
    assert.equal(readAfterUsual(headOf([...LINES, "X-A: b"]))?.headers["x-a"], "b");
    assert.equal(readAfterUsual(headOf(LINES.slice(0, -1)))?.headers.authorization, undefined);
  });

  it("does not share headers with the previous one", () => {
    const reader = new HeadReader();
    for (let round = 0; round < 3; round += 1) {
      const head = reader.read(headOf(LINES));
      assert.equal(head?.headers.authorization, "Bearer sk-a");
      head.headers.authorization = "changed";
    }
  });

  it("is not plain if its length is not", () => {
    const odd = ["", "+5", "-5", "5, 5", "5 5", "0x5", "5\t", "1e3", "1234567890123456", "5\r\nContent-Length: 6"];
    for (const length of odd) assertReadAsFirst(withLine(3, `Content-Length: ${length}`));
    for (const line of [
      "Content-Length:105",
      "content-length: 105",
      "Content-Length : 105",
      "Transfer-Encoding: chunked",
    ])
      assertReadAsFirst(withLine(3, line));
    assertReadAsFirst(headOf([...LINES, "Content-Length: 105"]));
    assertReadAsFirst(headOf(["POST / HTTP/1.1"]));
  });

  it("is read like a first one, whichever character is changed", () => {
    const usual = headOf(LINES).toString("latin1");
    for (let at = 0; at < usual.length; at += 1) {
      for (const letter of ["", "0", "5", "x", ":", " ", "\r", "\n", "\t", "\0", "\u00e9", "\r\n", "\r\nX-A: b"]) {
        assertReadAsFirst(Buffer.from(usual.slice(0, at) + letter + usual.slice(at + 1), "latin1"));
        assertReadAsFirst(Buffer.from(usual.slice(0, at) + letter + usual.slice(at), "latin1"));
      }
    }
  });

  it("has its own key and length where keys vary, as behind a proxy of many callers", () => {
    const reader = new HeadReader();
    for (let round = 0; round < 20; round += 1) {
      const fields = {
        host: "gateway",
        authorization: `Bearer sk-${"x".repeat(round)}${round}`,
        "content-length": String(round ** 3),
        traceparent: `00-${round}`,
        "x-forwarded-for": `10.0.0.${round}`,
        "x-real-ip": `10.0.0.${round}`,
      };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
      const head = reader.read(headOf([LINES[0] ?? "", ...lines]));
      assert.deepEqual({ ...head?.headers }, fields);
      assert.deepEqual(rawHeadersOf(head?.text ?? ""), Object.entries(fields).flat());
    }
  });

  it("is left to Node if the connection header changes to close", () => {
    const keep = (value: string) => headOf([...LINES, `Connection: ${value}`]);
    assert.ok(readAfterUsual(keep("keep-alive"), [keep("Keep-Alive"), keep("keep-alive")]));
    assert.equal(readAfterUsual(keep("close"), [keep("Keep-Alive"), keep("keep-alive")]), undefined);
    const reader = new HeadReader();
    for (const value of ["Keep-Alive", "keep-alive"]) assert.ok(reader.read(keep(value)));
    assert.equal(reader.read(keep("close")), undefined);
  });

  it("is read after any number of heads that differ", () => {
    const reader = new HeadReader();
    for (let round = 0; round < 20; round += 1) {
      const head = reader.read(withLine(4, `Authorization: Bearer sk-${round}`));
      assert.equal(head?.headers.authorization, `Bearer sk-${round}`);
      assert.equal(reader.read(withLine(3, "Content-Length: 9"))?.contentLength, 9);
    }
  });
});
