import assert from "node:assert/strict";
import { it } from "node:test";
import type { Dispatcher } from "undici";
import { type HeadReceiver, writeRequestHead } from "./request-head.ts";

const first: Dispatcher.DispatchOptions = {
  method: "POST",
  path: "/v1/chat/completions",
  headers: { authorization: "Bearer one", "content-type": "application/json", "x-none": undefined },
  body: Buffer.from("12345"),
};
const lines = [
  "POST /v1/chat/completions HTTP/1.1",
  "host: a.example",
  "connection: keep-alive",
  "authorization: Bearer one",
  "content-type: application/json",
  "content-length: 5",
];

const server: HeadReceiver = { host: "a.example", lastHead: undefined };
const other: HeadReceiver = { host: "b.example", lastHead: undefined };

function write(options: Partial<Dispatcher.DispatchOptions>, to = server): string[] | undefined {
  return writeRequestHead({ ...first, ...options }, to)
    ?.split("\r\n")
    .slice(0, -2);
}

it("a head has its own values, whatever the previous head of its server had", () => {
  const { authorization, ...others } = { authorization: "Bearer one", "content-type": "application/json" };
  const changes: [Partial<Dispatcher.DispatchOptions>, string[]][] = [
    [{}, lines],
    [{ body: Buffer.from("123456789 1") }, [...lines.slice(0, -1), "content-length: 11"]],
    [
      { headers: { ...others, authorization: "Bearer two" } },
      lines.with(3, lines[4] ?? "").with(4, "authorization: Bearer two"),
    ],
    [{ headers: { authorization: "Bearer two", ...others } }, lines.with(3, "authorization: Bearer two")],
    [{ headers: { authorization, ...others, "x-more": "1" } }, lines.toSpliced(5, 0, "x-more: 1")],
    [{ headers: { authorization, "x-type": "application/json" } }, lines.with(4, "x-type: application/json")],
    [{ headers: { authorization } }, lines.toSpliced(4, 1)],
    [{ headers: {} }, lines.toSpliced(3, 2)],
    [{ headers: null }, lines.toSpliced(3, 2)],
    [{ path: "/v1/embeddings" }, lines.with(0, "POST /v1/embeddings HTTP/1.1")],
    [{ method: "PUT" }, lines.with(0, "PUT /v1/chat/completions HTTP/1.1")],
    [{ method: "GET", body: null }, lines.slice(0, -1).with(0, "GET /v1/chat/completions HTTP/1.1")],
  ];
  for (const [change, expected] of changes) {
    for (let time = 0; time < 2; time += 1) {
      assert.deepEqual(write(change), expected);
      assert.deepEqual(write(change, other), expected.with(1, "host: b.example"));
    }
    assert.deepEqual(write({}), lines);
  }
});

it("a known head makes no other request plain", () => {
  assert.deepEqual(write({}), lines);
  assert.equal(write({ headers: { authorization: "Bearer one", "content-type": ["application/json"] } }), undefined);
  assert.equal(
    write({ headers: { authorization: "Bearer one", "content-type": "application/json", te: "trailers" } }),
    undefined,
  );
  assert.equal(write({ headers: ["authorization", "Bearer one"] }), undefined);
  assert.throws(
    () => write({ headers: { authorization: "Bearer one\r\nx: y" } }),
    /^InvalidArgumentError: invalid authorization header$/,
  );
});
